import type { SftpRequest } from '@waybill/sftp-protocol/requests/sftp-request';
import type { SftpResponse } from '@waybill/sftp-protocol/responses/sftp-response';
import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { beginUpload } from './begin-upload.ts';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';

const { write, append, create, truncate, exclusive } = openFlag;
const { ok, noSuchFile, permissionDenied } = statusCode;

const peer = oneGateway();
/** May upload to /dropbox and nothing else there; everything in /inbox. */
let acme: RawSftpClient;

async function put(name: string): Promise<void> {
  const flags = write | create | truncate;
  const opened = await acme.ask({ type: 'open', id: 1, path: Buffer.from(name), flags, attributes: {} });
  if (opened.type !== 'handle') throw new Error(`OPEN was answered with ${opened.type}`);
  await acme.ask({ type: 'write', id: 2, handle: opened.handle, offset: 0, data: Buffer.from('some text') });
  await acme.ask({ type: 'close', id: 3, handle: opened.handle });
}

beforeAll(async () => {
  acme = await connectRawSftp({ port: peer.gateway.sftpPort, user: 'acme' });
});
afterAll(async () => {
  await acme?.[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await put('/dropbox/hidden');
  await peer.rig.database.query("update filebox.entries set owner = 'somebody else' where name = 'hidden'");
  await put('/inbox/mine');
});

/** The responses to the same request about an existing and a missing file, without incidental differences. */
async function answers(requestFor: (path: Buffer) => SftpRequest): Promise<SftpResponse[]> {
  const told = [];
  for (const name of ['hidden', 'none']) {
    const answer = await acme.ask(requestFor(Buffer.from(`/dropbox/${name}`)));
    told.push(JSON.parse(JSON.stringify(answer).replaceAll(`/${name}`, '/x')) as SftpResponse);
  }
  return told;
}

const open = (flags: number) => (path: Buffer) => ({ type: 'open' as const, id: 9, path, flags, attributes: {} });

describe('a file that the user must not know of gets the same response as a missing one:', () => {
  it.each<[string, number, (path: Buffer) => SftpRequest]>([
    ['STAT', noSuchFile, (path) => ({ type: 'stat', id: 9, path })],
    ['LSTAT', noSuchFile, (path) => ({ type: 'lstat', id: 9, path })],
    ['SETSTAT', noSuchFile, (path) => ({ type: 'setstat', id: 9, path, attributes: { size: 3 } })],
    ['statvfs', noSuchFile, (path) => ({ type: 'statvfs', id: 9, path })],
    ['OPEN to resume it', noSuchFile, open(write)],
    ['OPEN to append to it', noSuchFile, open(append)],
    ['OPEN to create it exclusively', permissionDenied, open(write | create | exclusive)],
    [
      'RENAME to it',
      permissionDenied,
      (newPath) => ({ type: 'rename', id: 9, oldPath: Buffer.from('/inbox/mine'), newPath }),
    ],
    ['REMOVE', permissionDenied, (path) => ({ type: 'remove', id: 9, path })],
  ])('%s', async (_name, code, requestFor) => {
    const [hidden, none] = await answers(requestFor);
    expect(hidden).toMatchObject({ type: 'status', code });
    expect(hidden).toEqual(none);
  });

  it('OPEN to write it, which starts empty and replaces it', async () => {
    const opened = await acme.ask(open(write | create)(Buffer.from('/dropbox/hidden')));
    const handle = opened.type === 'handle' ? opened.handle : Buffer.alloc(0);
    expect(await acme.ask({ type: 'fstat', id: 9, handle })).toMatchObject({ attributes: { size: 0 } });
    await acme.ask({ type: 'write', id: 9, handle, offset: 0, data: Buffer.from('new') });
    expect(await acme.ask({ type: 'close', id: 9, handle })).toMatchObject({ code: ok });
    const [stored] = await peer.rig.database.query(
      "select size::int as size, owner from filebox.entries where name = 'hidden'",
    );
    expect(stored).toEqual({ size: 3, owner: 'acme' });
  });

  it('posix-rename to it, which replaces it', async () => {
    const newPath = Buffer.from('/dropbox/hidden');
    const answer = await acme.ask({ type: 'posix-rename', id: 9, oldPath: Buffer.from('/inbox/mine'), newPath });
    expect(answer).toMatchObject({ code: ok });
  });
});

it('a file that the user stored is visible to that user without the list permission, because clients check what they have sent', async () => {
  await put('/dropbox/own');
  const seen = await acme.ask({ type: 'lstat', id: 9, path: Buffer.from('/dropbox/own') });
  expect(seen).toMatchObject({ type: 'attrs', attributes: { size: 'some text'.length } });
});

it('SETSTAT of the unfinished upload that the user sees leaves the time of the hidden file', async () => {
  const timeOf = () => peer.rig.database.query("select modified_at from filebox.entries where name = 'hidden'");
  const before = await timeOf();
  const uploader = await connectRawSftp({ port: peer.gateway.sftpPort, user: 'acme' });
  await beginUpload(uploader, '/dropbox/hidden', Buffer.from('seen'));
  await uploader[Symbol.asyncDispose]();
  const path = Buffer.from('/dropbox/hidden');
  await expect
    .poll(() => acme.ask({ type: 'lstat', id: 1, path }))
    .toMatchObject({ type: 'attrs', attributes: { size: 4 } });
  const times = { accessed: 1_000, modified: 1_000 };
  expect(await acme.ask({ type: 'setstat', id: 2, path, attributes: { times } })).toMatchObject({ code: ok });
  expect(await timeOf()).toEqual(before);
});
