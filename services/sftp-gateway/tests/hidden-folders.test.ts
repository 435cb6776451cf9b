import type { SftpRequest } from '@waybill/sftp-protocol/requests/sftp-request';
import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';

const { read, write, create } = openFlag;
const { noSuchFile, permissionDenied } = statusCode;

const peer = oneGateway();
let acme: RawSftpClient;

beforeAll(async () => {
  acme = await connectRawSftp({ port: peer.gateway.sftpPort, user: 'acme' });
  await acme.ask({ type: 'mkdir', id: 1, path: Buffer.from('/inbox/mine'), attributes: {} });
});
afterAll(async () => {
  await acme?.[Symbol.asyncDispose]();
});

type RequestFor = (path: Buffer) => SftpRequest;

const open =
  (flags: number): RequestFor =>
  (path) => ({ type: 'open', id: 9, path, flags, attributes: {} });

/** Requests about an existing entry. */
const onIt: [string, RequestFor][] = [
  ['STAT', (path) => ({ type: 'stat', id: 9, path })],
  ['LSTAT', (path) => ({ type: 'lstat', id: 9, path })],
  ['OPENDIR', (path) => ({ type: 'opendir', id: 9, path })],
  ['SETSTAT', (path) => ({ type: 'setstat', id: 9, path, attributes: { permissions: 0o700 } })],
  ['statvfs', (path) => ({ type: 'statvfs', id: 9, path })],
  ['OPEN to read', open(read)],
  ['OPEN to write', open(write)],
  ['REMOVE', (path) => ({ type: 'remove', id: 9, path })],
  ['RMDIR', (path) => ({ type: 'rmdir', id: 9, path })],
  ['RENAME', (oldPath) => ({ type: 'rename', id: 9, oldPath, newPath: Buffer.from('/inbox/other') })],
];

/** Requests that create an entry. */
const within: [string, RequestFor][] = [
  ['OPEN to create a file', open(write | create)],
  ['MKDIR', (path) => ({ type: 'mkdir', id: 9, path, attributes: {} })],
  ['RENAME to it', (newPath) => ({ type: 'rename', id: 9, oldPath: Buffer.from('/inbox/mine'), newPath })],
];

async function told(requestFor: RequestFor, path: string, name: string) {
  const answer = await acme.ask(requestFor(Buffer.from(path)));
  if (answer.type !== 'status') throw new Error(`a status was expected, not ${answer.type}`);
  return { code: answer.code, message: answer.message.replaceAll(name, 'name') };
}

describe.each([
  ['where the user may only list', '/private', '/none'],
  ['where the user may do everything', '/inbox/secret', '/inbox/none'],
])(
  'a folder without any permission for the user, %s, gets the same response as a missing one:',
  (_where, hidden, none) => {
    it.each(onIt)('%s', async (_name, requestFor) => {
      const answer = await told(requestFor, hidden, hidden);
      expect(answer.code).toBe(noSuchFile);
      expect(answer).toEqual(await told(requestFor, none, none));
    });

    it.each([...onIt, ...within])('%s, for an entry in it', async (_name, requestFor) => {
      const answer = await told(requestFor, `${hidden}/x`, hidden);
      expect(answer.code).toBe(noSuchFile);
      expect(answer).toEqual(await told(requestFor, `${none}/x`, none));
    });
  },
);

it('a visible entry is refused with the missing permission, and a missing one is not', async () => {
  expect(await told(open(write), '/outbox', '/outbox')).toEqual({
    code: permissionDenied,
    message: 'No write permission',
  });
  expect(await told(open(write), '/outbox/none', 'none')).toMatchObject({ code: noSuchFile });
  expect(await told(open(write | create), '/outbox/none', 'none')).toMatchObject({ code: permissionDenied });
});
