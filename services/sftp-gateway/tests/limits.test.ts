import { execFileSync } from 'node:child_process';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { VfsLimits } from '@waybill/contracts/configuration/storage-configuration';
import { openDirectory } from '@waybill/directory/open-directory';
import { setLimits } from '@waybill/filebox/limits/set-limits';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';

const { write, create, truncate } = openFlag;
const chunk = Buffer.alloc(32_768, 'x');

const peer = oneGateway();
let db: Database;

beforeAll(async () => {
  db = connectPostgres({ url: peer.rig.database.url, applicationName: 'test', poolSize: 2 });
});

afterEach(async () => {
  await limit(undefined);
});

afterAll(async () => {
  await db.destroy();
});

const connect = (user = 'globex') => connectRawSftp({ port: peer.gateway.sftpPort, user });

async function limit(limits: VfsLimits | undefined, name = 'globex-files'): Promise<void> {
  const vfs = await openDirectory({ db }).findVfsByName(name);
  if (vfs === undefined) throw new Error(`${name} is not there`);
  await db.transaction((trx) => setLimits(trx, { vfsId: vfs.id, name, limits }));
}

async function open(client: RawSftpClient, path: string) {
  return client.ask({ type: 'open', id: 1, path: Buffer.from(path), flags: write | create | truncate, attributes: {} });
}

/** Writes chunks without waiting for responses, as clients do, then closes. Returns the statuses. */
async function send(client: RawSftpClient, path: string, chunks: number) {
  const opened = await open(client, path);
  if (opened.type !== 'handle') throw new Error(`OPEN was answered with ${JSON.stringify(opened)}`);
  const { handle } = opened;
  for (let index = 0; index < chunks; index += 1) {
    client.send({ type: 'write', id: 2 + index, handle, offset: index * chunk.length, data: chunk });
  }
  client.send({ type: 'close', id: 2 + chunks, handle });
  const told: { id: number; code: number; message: string }[] = [];
  while (told.length <= chunks) {
    const answer = await client.receive();
    if (answer.type !== 'status') throw new Error(`a status was expected, not ${JSON.stringify(answer)}`);
    told.push({ id: answer.id, code: answer.code, message: answer.message });
  }
  const closed = told.find(({ id }) => id === 2 + chunks);
  return { closed, written: told.filter(({ id }) => id !== 2 + chunks) };
}

async function figuresAt(client: RawSftpClient, path: string) {
  const reply = await client.ask({ type: 'statvfs', id: 1, path: Buffer.from(path) });
  if (reply.type !== 'extended-reply') throw new Error(JSON.stringify(reply));
  const at = (index: number) => Number(reply.data.readBigUInt64BE(index * 8));
  return { blocks: at(2), freeBlocks: at(3), availableBlocks: at(4), entries: at(5), freeEntries: at(6) };
}

it('names the limit that a write exceeds, on the write and on the close, and leaves nothing of the upload', async () => {
  await limit({ bytes: 100_000 });
  await using client = await connect();
  const message = 'The virtual file system may hold 100,000 bytes at most';
  const { closed, written } = await send(client, '/data/big', 8);
  expect(closed).toMatchObject({ code: 4, message });
  expect(written.filter(({ code }) => code === 4).length).toBeGreaterThanOrEqual(5);
  expect(written.filter(({ code }) => code === 4).every((told) => told.message === message)).toBe(true);
  expect(await client.ask({ type: 'lstat', id: 1, path: Buffer.from('/data/big') })).toMatchObject({ code: 2 });
  expect(await send(client, '/data/fits', 3)).toMatchObject({ closed: { code: 0 } });
});

it('names the limit that an open, a mkdir or a rename exceeds', async () => {
  await using client = await connect();
  const path = (name: string) => Buffer.from(`/data/${name}`);
  await client.ask({ type: 'mkdir', id: 1, path: path('one'), attributes: {} });
  await limit({ files: 0, folders: 3, depth: 2 });
  const tell = async (asked: Promise<unknown>) => expect(await asked).toMatchObject({ type: 'status', code: 4 });
  const messageOf = (answer: Awaited<ReturnType<typeof open>>) => answer.type === 'status' && answer.message;
  const refused = await open(client, '/data/file');
  await tell(Promise.resolve(refused));
  expect(messageOf(refused)).toBe('The virtual file system may hold 0 files at most');
  const deep = await client.ask({ type: 'mkdir', id: 1, path: path('one/below'), attributes: {} });
  expect(messageOf(deep)).toBe('Folders may be nested 2 deep at most');
  await client.ask({ type: 'mkdir', id: 1, path: path('two'), attributes: {} });
  const more = await client.ask({ type: 'mkdir', id: 1, path: path('three'), attributes: {} });
  expect(messageOf(more)).toBe('The virtual file system may hold 3 folders at most');
  const moved = await client.ask({ type: 'rename', id: 1, oldPath: path('two'), newPath: path('one/two') });
  expect(messageOf(moved)).toBe('Folders may be nested 2 deep at most');
});

it('states that nothing may be written if that is so', async () => {
  await using client = await connect('acme');
  const refused = await open(client, '/outbox/file');
  expect(refused).toMatchObject({ type: 'status', code: 3 });
  expect(refused.type === 'status' && refused.message).toBe('No write permission');
});

it('returns by statvfs what the limits leave, of bytes and of files and folders', async () => {
  await using client = await connect();
  const unlimited = await figuresAt(client, '/data');
  expect(unlimited).toMatchObject({ entries: 2 ** 32, freeEntries: 2 ** 32 });
  await limit({ files: 1_000 });
  const { blocks, entries } = await figuresAt(client, '/data');
  expect({ blocks, entries }).toEqual({ blocks: unlimited.blocks, entries: 1_000 });
  await limit({ bytes: 100 * 4_096, files: 1_000, folders: 500 });
  const before = await figuresAt(client, '/data');
  expect(before).toMatchObject({ blocks: 100, entries: 1_500 });
  await send(client, '/data/counted', 2);
  const after = await figuresAt(client, '/data');
  expect(before.freeBlocks - after.freeBlocks).toBe(16);
  expect(after.availableBlocks).toBe(after.freeBlocks);
  expect(before.freeEntries - after.freeEntries).toBe(1);
  const login = { port: peer.gateway.sftpPort, user: 'globex', password: 'globex-demo' };
  expect((await runSftp({ ...login, commands: ['df /data'] })).stdout).toMatch(/\b400\b/u);
});

/** What the limits count in the VFS now. */
async function usage(): Promise<{ bytes: number; files: number }> {
  const [row] = await peer.rig.database.query(
    `select bytes, files from filebox.vfs_limits where name = 'globex-files'`,
  );
  return { bytes: Number(row?.['bytes']), files: Number(row?.['files']) };
}

async function storedBytes(): Promise<number> {
  await limit({ bytes: 0 });
  return (await usage()).bytes;
}

const remove = (client: RawSftpClient, path: string) => client.ask({ type: 'remove', id: 1, path: Buffer.from(path) });

it.each(['CLOSE', 'end of the session'])(
  'counts the space of a new file that was removed while it is open until the %s, later writes included',
  async (end) => {
    const client = await connect();
    await using other = await connect();
    await limit({ bytes: (await storedBytes()) + 100_000, files: 1_000 });
    const before = await usage();
    const opened = await open(client, '/data/unlinked');
    const handle = opened.type === 'handle' ? Buffer.from(opened.handle) : Buffer.alloc(0);
    const writeAt = (index: number) =>
      client.ask({ type: 'write', id: 2, handle, offset: index * chunk.length, data: chunk });
    expect(await writeAt(0)).toMatchObject({ code: 0 });
    expect(await remove(client, '/data/unlinked')).toMatchObject({ code: 0 });
    expect(await writeAt(1)).toMatchObject({ code: 0 });

    expect((await usage()).bytes - before.bytes).toBeGreaterThanOrEqual(2 * chunk.length);
    expect((await usage()).files - before.files).toBe(1);
    expect(await send(other, '/data/too-much', 2)).toMatchObject({ closed: { code: 4 } });

    if (end === 'CLOSE') expect(await client.ask({ type: 'close', id: 3, handle })).toMatchObject({ code: 0 });
    else await client[Symbol.asyncDispose]();
    await waitFor(async () => (await usage()).bytes === before.bytes, { what: 'the space to be released' });
    expect(await usage()).toEqual(before);
    expect(await send(other, `/data/fits-after-${end.length}`, 3)).toMatchObject({ closed: { code: 0 } });
    await client[Symbol.asyncDispose]();
  },
);

it('releases the space of a delivered file at its REMOVE, while a version of it is open', async () => {
  await using client = await connect();
  expect(await send(client, '/data/versions', 3)).toMatchObject({ closed: { code: 0 } });
  await limit({ bytes: 1_000_000 });
  const before = await usage();
  const opened = await open(client, '/data/versions');
  const handle = opened.type === 'handle' ? Buffer.from(opened.handle) : Buffer.alloc(0);
  expect(await client.ask({ type: 'write', id: 2, handle, offset: 0, data: chunk })).toMatchObject({ code: 0 });
  // It takes the place of three chunks.
  expect((await usage()).bytes).toBe(before.bytes);
  expect(await remove(client, '/data/versions')).toMatchObject({ code: 0 });
  expect((await usage()).bytes).toBe(before.bytes - 3 * chunk.length);
  expect(await client.ask({ type: 'close', id: 3, handle })).toMatchObject({ code: 0 });
  expect(await usage()).toEqual({ bytes: before.bytes - 3 * chunk.length, files: before.files - 1 });
});

it('reports a full disk, on the close too, and leaves nothing', async () => {
  // A file of this process may have 1 MiB from now on: the system refuses more as a full disk does.
  const sizeOfFiles = (bytes: string) => execFileSync('prlimit', ['--pid', String(process.pid), `--fsize=${bytes}:`]);
  const ignore = (): void => {};
  process.on('SIGXFSZ', ignore);
  sizeOfFiles('1048576');
  try {
    await using client = await connect();
    const { closed } = await send(client, '/data/huge', 48);
    expect(closed).toMatchObject({ code: 4, message: 'There is no room left to store the file' });
    expect(await client.ask({ type: 'lstat', id: 1, path: Buffer.from('/data/huge') })).toMatchObject({ code: 2 });
  } finally {
    sizeOfFiles('unlimited');
    process.off('SIGXFSZ', ignore);
  }
  expect(await readdir(join(peer.rig.folder, 'blobs', 'incoming'))).toEqual([]);
});

it('applies a limit equally to existing and missing names, for users who may upload but not list', async () => {
  await using client = await connect('acme');
  expect(await send(client, '/dropbox/there', 1)).toMatchObject({ closed: { code: 0 } });
  await limit({ files: 1 }, 'acme-files');
  const [there, missing] = [await open(client, '/dropbox/there'), await open(client, '/dropbox/none')];
  await limit(undefined, 'acme-files');
  expect(there).toMatchObject({ type: 'status', code: 4 });
  expect(missing).toEqual(there);
});
