import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';

const { read, write, create, truncate } = openFlag;
const { ok, permissionDenied } = statusCode;
const everything = ['list', 'download', 'upload', 'delete', 'rename', 'createFolder'];

const grants = [
  { user: 'globex', permissions: everything },
  { user: 'renamer', permissions: ['list', 'download', 'rename'] },
];
const users = [{ name: 'renamer', password: 'renamer-demo' }];
const peer = oneGateway({ rig: { users, acl: [{ path: '/', grants }] } });
/** May do everything. */
let uploader: RawSftpClient;
/** May rename existing files, but not upload. */
let renamer: RawSftpClient;
let db: Database;
let tests = 0;

beforeAll(async () => {
  uploader = await connectRawSftp({ port: peer.gateway.sftpPort, user: 'globex' });
  renamer = await connectRawSftp({ port: peer.gateway.sftpPort, user: 'renamer' });
  db = connectPostgres({ url: peer.rig.database.url, applicationName: 'test', poolSize: 2 });
});
afterAll(async () => {
  await db?.destroy();
  await uploader?.[Symbol.asyncDispose]();
  await renamer?.[Symbol.asyncDispose]();
});
beforeEach(async () => {
  tests += 1;
  await put('source', 'of the renamer');
});

const nameOf = (name: string): string => `${name}-${tests}`;
const pathOf = (name: string): Buffer => Buffer.from(`/data/${nameOf(name)}`);

async function put(name: string, text: string): Promise<void> {
  const flags = write | create | truncate;
  const opened = await uploader.ask({ type: 'open', id: 1, path: pathOf(name), flags, attributes: {} });
  if (opened.type !== 'handle') throw new Error(`OPEN was answered with ${opened.type}`);
  await uploader.ask({ type: 'write', id: 2, handle: opened.handle, offset: 0, data: Buffer.from(text) });
  expect(await uploader.ask({ type: 'close', id: 3, handle: opened.handle })).toMatchObject({ code: ok });
}

async function get(name: string): Promise<string> {
  const opened = await uploader.ask({ type: 'open', id: 4, path: pathOf(name), flags: read, attributes: {} });
  if (opened.type !== 'handle') return opened.type;
  const answer = await uploader.ask({ type: 'read', id: 5, handle: opened.handle, offset: 0, length: 1_000 });
  await uploader.ask({ type: 'close', id: 6, handle: opened.handle });
  return answer.type === 'data' ? answer.data.toString() : answer.type;
}

const rename = () => renamer.ask({ type: 'posix-rename', id: 7, oldPath: pathOf('source'), newPath: pathOf('target') });

/** Waits until the rename has looked up both paths, decided, and waits for a lock. */
async function untilRenameWaits(): Promise<void> {
  const isWaiting = async () => {
    const rows = await peer.rig.database.query(
      "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
    );
    return rows.length === 1;
  };
  await waitFor(isWaiting, { what: 'the rename to wait for a lock' });
}

describe('posix-rename by a user who may not upload', () => {
  it('gives a file a free name, and replaces no file', async () => {
    expect(await rename()).toMatchObject({ code: ok });
    expect(await get('target')).toBe('of the renamer');
    await put('source', 'another one');
    expect(await rename()).toMatchObject({ code: permissionDenied });
    expect(await get('target')).toBe('of the renamer');
  });

  it('replaces no file that another session commits after the name was found free', async () => {
    const holding = await db.transaction();
    await holding.raw('SELECT FROM filebox.entries WHERE name = ? FOR UPDATE', [nameOf('source')]);
    const answer = rename();
    await untilRenameWaits();
    await put('target', 'of the uploader');
    await holding.commit();
    expect(await answer).toMatchObject({ code: permissionDenied });
    expect(await get('target')).toBe('of the uploader');
    expect(await get('source')).toBe('of the renamer');
  });

  it('replaces no file whose transaction ends while the rename is being executed', async () => {
    await put('model', 'of the uploader');
    const delivering = await db.transaction();
    await delivering.raw(
      `INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner, storage_class, blob_id, size, sha256, media_type,
         put_at, metadata, system_metadata, dfic)
       SELECT vfs_id, parent_id, kind, :target, owner, storage_class, blob_id, size, sha256, media_type,
         put_at, metadata, system_metadata, dfic
       FROM filebox.entries WHERE name = :model`,
      { target: nameOf('target'), model: nameOf('model') },
    );
    const answer = rename();
    await untilRenameWaits();
    await delivering.commit();
    expect(await answer).toMatchObject({ code: permissionDenied });
    expect(await get('target')).toBe('of the uploader');
    expect(await get('source')).toBe('of the renamer');
  });
});
