import type { SftpRequest } from '@waybill/sftp-protocol/requests/sftp-request';
import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';

const { ok, noSuchFile, permissionDenied, failure } = statusCode;
const path = (text: string) => Buffer.from(text);

const peer = oneGateway();
let globex: RawSftpClient;
let acme: RawSftpClient;

async function put(client: RawSftpClient, name: string, text: string): Promise<void> {
  const flags = openFlag.write | openFlag.create | openFlag.truncate;
  const opened = await client.ask({ type: 'open', id: 1, path: path(name), flags, attributes: {} });
  if (opened.type !== 'handle') throw new Error(`OPEN was answered with ${opened.type}`);
  const { handle } = opened;
  await client.ask({ type: 'write', id: 2, handle, offset: 0, data: Buffer.from(text) });
  await client.ask({ type: 'close', id: 3, handle });
}

async function namesIn(client: RawSftpClient, folder: string): Promise<string[]> {
  const opened = await client.ask({ type: 'opendir', id: 1, path: path(folder) });
  if (opened.type !== 'handle') throw new Error(`OPENDIR was answered with ${opened.type}`);
  const page = await client.ask({ type: 'readdir', id: 2, handle: opened.handle });
  return page.type === 'name' ? page.entries.map(({ filename }) => filename) : [];
}

beforeAll(async () => {
  [globex, acme] = (await Promise.all(
    ['globex', 'acme'].map((user) => connectRawSftp({ port: peer.gateway.sftpPort, user })),
  )) as [RawSftpClient, RawSftpClient];
  await globex.ask({ type: 'mkdir', id: 1, path: path('/data/full'), attributes: {} });
  for (const name of ['a', 'b', 'full/c']) await put(globex, `/data/${name}`, name);
});
afterAll(async () => {
  await Promise.all([globex?.[Symbol.asyncDispose](), acme?.[Symbol.asyncDispose]()]);
});

const a = path('/data/a');
const full = path('/data/full');
const none = path('/data/none');

describe('is refused, with a reason, and changes nothing:', () => {
  it.each<[string, SftpRequest, number, RegExp]>([
    [
      'RENAME to a name that is taken',
      { type: 'rename', id: 9, oldPath: a, newPath: path('/data/b') },
      failure,
      /already/u,
    ],
    [
      'RENAME of a missing file',
      { type: 'rename', id: 9, oldPath: none, newPath: path('/data/x') },
      noSuchFile,
      /does not exist/u,
    ],
    [
      'RENAME into a missing folder',
      { type: 'rename', id: 9, oldPath: a, newPath: path('/data/none/a') },
      noSuchFile,
      /does not exist/u,
    ],
    [
      'posix-rename of a file over a folder',
      { type: 'posix-rename', id: 9, oldPath: a, newPath: full },
      failure,
      /already/u,
    ],
    ['RMDIR of a folder that is not empty', { type: 'rmdir', id: 9, path: full }, failure, /empty/u],
    ['RMDIR of a file', { type: 'rmdir', id: 9, path: a }, failure, /folder/u],
    ['REMOVE of a folder', { type: 'remove', id: 9, path: full }, failure, /file/u],
    ['REMOVE of a missing file', { type: 'remove', id: 9, path: none }, noSuchFile, /does not exist/u],
    ['MKDIR of an existing folder', { type: 'mkdir', id: 9, path: full, attributes: {} }, failure, /already/u],
    [
      'MKDIR in a missing folder',
      { type: 'mkdir', id: 9, path: path('/data/none/x'), attributes: {} },
      noSuchFile,
      /does not exist/u,
    ],
    ['OPENDIR of a file', { type: 'opendir', id: 9, path: a }, failure, /folder/u],
    [
      'SETSTAT of a missing file',
      { type: 'setstat', id: 9, path: none, attributes: { permissions: 0o644 } },
      noSuchFile,
      /does not exist/u,
    ],
  ])('%s', async (_name, request, code, reason) => {
    expect(await globex.ask(request)).toMatchObject({ type: 'status', code, message: expect.stringMatching(reason) });
    expect(await namesIn(globex, '/data')).toEqual(['a', 'b', 'full']);
    expect(await namesIn(globex, '/data/full')).toEqual(['c']);
  });
});

describe('is refused with the missing permission:', () => {
  beforeAll(async () => {
    await put(acme, '/inbox/x', 'x');
    await peer.rig.database.query(
      "update filebox.entries set parent_id = (select id from filebox.entries where name = 'outbox') where name = 'x'",
    );
  });

  it.each<[string, SftpRequest, RegExp]>([
    ['READDIR', { type: 'opendir', id: 9, path: path('/dropbox') }, /^No list permission/u],
    [
      'READ',
      { type: 'open', id: 9, path: path('/dropbox/x'), flags: openFlag.read, attributes: {} },
      /^No read permission/u,
    ],
    [
      'WRITE',
      { type: 'open', id: 9, path: path('/outbox/x'), flags: openFlag.write | openFlag.create, attributes: {} },
      /^No write permission/u,
    ],
    ['REMOVE', { type: 'remove', id: 9, path: path('/outbox/x') }, /^No delete permission/u],
    [
      'RENAME',
      { type: 'rename', id: 9, oldPath: path('/outbox/x'), newPath: path('/outbox/y') },
      /^No rename permission/u,
    ],
    ['MKDIR', { type: 'mkdir', id: 9, path: path('/outbox/x'), attributes: {} }, /^No create folder permission/u],
  ])('%s', async (_name, request, reason) => {
    expect(await acme.ask(request)).toMatchObject({ code: permissionDenied, message: expect.stringMatching(reason) });
  });
});

it('a folder lists nothing that the user has no permission for', async () => {
  const names = await namesIn(acme, '/');
  expect(names).toEqual(expect.arrayContaining(['dropbox', 'inbox', 'outbox']));
  expect(names).not.toContain('private');
});

it('the modification time that SETSTAT gives a file or a folder is stored', async () => {
  const times = { accessed: 1_000_000_000, modified: 1_111_111_111 };
  for (const name of ['/data/b', '/data/full']) {
    expect(await globex.ask({ type: 'setstat', id: 9, path: path(name), attributes: { times } })).toMatchObject({
      code: ok,
    });
    expect(await globex.ask({ type: 'stat', id: 9, path: path(name) })).toMatchObject({
      attributes: { times: { modified: times.modified } },
    });
  }
});
