import { createHash, randomBytes } from 'node:crypto';
import { readFile, statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SftpRequest } from '@waybill/sftp-protocol/requests/sftp-request';
import type { SftpResponse } from '@waybill/sftp-protocol/responses/sftp-response';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createGatewayRig, type GatewayRig, type RunningGateway } from './gateway-rig.ts';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';

const { read, write, create, truncate } = openFlag;

let rig: GatewayRig;
let gateway: RunningGateway;
let local: Awaited<ReturnType<typeof createTestFolder>>;
const content = randomBytes(2_500_000);

beforeAll(async () => {
  local = await createTestFolder();
  rig = await createGatewayRig();
  gateway = await rig.start('peer1');
  await writeFile(join(local.path, 'source'), content);
  const outcome = await sftp(`put ${local.path}/source /data/source`);
  if (outcome.exitCode !== 0) throw new Error(outcome.stderr);
});
afterAll(async () => {
  await gateway?.[Symbol.asyncDispose]();
  await rig?.[Symbol.asyncDispose]();
  await local?.remove();
});

const sftp = (...commands: string[]) =>
  runSftp({ port: gateway.sftpPort, user: 'globex', password: 'globex-demo', commands });
const connect = (user = 'globex') => connectRawSftp({ port: gateway.sftpPort, user });
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function open(client: RawSftpClient, path: string, flags: number): Promise<Buffer> {
  const opened = await client.ask({ type: 'open', id: 1, path: Buffer.from(path), flags, attributes: {} });
  if (opened.type !== 'handle') throw new Error(`OPEN was answered with ${JSON.stringify(opened)}`);
  return opened.handle;
}

async function stored(path: string): Promise<Buffer> {
  const back = join(local.path, 'back');
  expect(await sftp(`get ${path} ${back}`)).toMatchObject({ exitCode: 0 });
  return readFile(back);
}

describe('copy-data', () => {
  it('copies a file for the OpenSSH client, on the record as a download and an upload', async () => {
    expect(await sftp('cp /data/source /data/copied')).toMatchObject({ exitCode: 0, stderr: '' });
    const facts = (await rig.audited()).filter(({ auditMessage }) => /\/data\/(?:source|copied)/u.test(auditMessage));
    const operations = facts.slice(-2).map(({ auditOperation }) => auditOperation);
    expect(operations).toEqual(['SERVER_DOWNLOAD_FILE', 'SERVER_UPLOAD_FILE']);
    expect((await stored('/data/copied')).equals(content)).toBe(true);
  });

  it('copies a whole file without moving a byte, and leaves each its own from the first change on', async () => {
    const blobsOf = (...names: string[]) =>
      rig.database.query('SELECT DISTINCT blob_id FROM filebox.entries WHERE name = ANY ($1)', [names]);
    await using client = await connect();
    for (const [name, length] of [
      ['shared-all', 0],
      ['shared-exactly', content.length],
    ] as const) {
      const handle = await open(client, '/data/source', read);
      const targetHandle = await open(client, `/data/${name}`, write | create | truncate);
      const copy = { type: 'copy-data', id: 2, handle, targetHandle, offset: 0, length, targetOffset: 0 } as const;
      expect(await client.ask(copy)).toMatchObject({ code: 0 });
      const stat = await client.ask({ type: 'fstat', id: 3, handle: targetHandle });
      expect(stat).toMatchObject({ attributes: { size: content.length } });
      for (const open of [handle, targetHandle]) await client.ask({ type: 'close', id: 4, handle: open });
    }
    expect(await blobsOf('source', 'shared-all', 'shared-exactly')).toHaveLength(1);
    expect((await stored('/data/shared-all')).equals(content)).toBe(true);

    const changed = await open(client, '/data/shared-all', write);
    await client.ask({ type: 'write', id: 5, handle: changed, offset: 3, data: Buffer.from('changed') });
    await client.ask({ type: 'close', id: 6, handle: changed });
    const expected = Buffer.concat([content.subarray(0, 3), Buffer.from('changed'), content.subarray(10)]);
    expect((await stored('/data/shared-all')).equals(expected)).toBe(true);
    for (const name of ['source', 'shared-exactly']) {
      expect((await stored(`/data/${name}`)).equals(content)).toBe(true);
    }
    expect(await blobsOf('source', 'shared-all', 'shared-exactly')).toHaveLength(2);
  });

  it('copies a range to an offset, and tells when the source ends before it', async () => {
    await using client = await connect();
    const handle = await open(client, '/data/source', read);
    const targetHandle = await open(client, '/data/part', write | create | truncate);
    const copy = { type: 'copy-data', id: 2, handle, targetHandle } as const;
    expect(await client.ask({ ...copy, offset: 100, length: 1_500_000, targetOffset: 5 })).toMatchObject({ code: 0 });
    expect(await client.ask({ ...copy, offset: 2_499_990, length: 20, targetOffset: 1_500_005 })).toMatchObject({
      code: 1,
    });
    await client.ask({ type: 'close', id: 3, handle: targetHandle });
    const expected = Buffer.concat([Buffer.alloc(5), content.subarray(100, 1_500_100), content.subarray(2_499_990)]);
    expect((await stored('/data/part')).equals(expected)).toBe(true);
  });

  it('refuses a target that is not written, a source that is not read, and a file into itself', async () => {
    await using client = await connect();
    const reading = await open(client, '/data/source', read);
    const writing = await open(client, '/data/refused', write | create | truncate);
    const both = await open(client, '/data/refused-too', read | write | create | truncate);
    const pairs = [
      [reading, reading],
      [writing, both],
      [both, both],
    ] as const;
    for (const [handle, targetHandle] of pairs) {
      const copy = { offset: 0, length: 0, targetOffset: 0, handle, targetHandle };
      expect(await client.ask({ type: 'copy-data', id: 2, ...copy })).toMatchObject({ code: 4 });
    }
  });
});

describe('check-file', () => {
  const all = { id: 7, algorithms: ['md5', 'sha256'], offset: 0, length: 0, blockBytes: 0 };
  const prefix = Buffer.concat([
    Buffer.from([0, 0, 0, 10]),
    Buffer.from('check-file'),
    Buffer.from([0, 0, 0, 6]),
    Buffer.from('sha256'),
  ]);
  const hashesOf = async (client: RawSftpClient, request: SftpRequest): Promise<string[]> => {
    const reply = await client.ask(request);
    if (reply.type !== 'extended-reply') throw new Error(JSON.stringify(reply));
    expect(reply.data.subarray(0, prefix.length).equals(prefix)).toBe(true);
    return reply.data.subarray(prefix.length).toString('hex').match(/.{64}/gu) ?? [];
  };
  const source = { type: 'check-file-name', path: Buffer.from('/data/source') } as const;

  it('tells the hash of a stored file, of a range, and of its blocks', async () => {
    await using client = await connect();
    expect(await hashesOf(client, { ...all, ...source })).toEqual([sha256(content)]);
    expect(await hashesOf(client, { ...all, ...source, offset: 10, length: 300 })).toEqual([
      sha256(content.subarray(10, 310)),
    ]);
    expect(await hashesOf(client, { ...all, ...source, blockBytes: 1_000_000 })).toEqual(
      [content.subarray(0, 1_000_000), content.subarray(1_000_000, 2_000_000), content.subarray(2_000_000)].map(sha256),
    );
  });

  it('tells the hash of an open file, as it stands while it is written', async () => {
    await using client = await connect();
    const reading = await open(client, '/data/source', read);
    expect(await hashesOf(client, { ...all, type: 'check-file-handle', handle: reading })).toEqual([sha256(content)]);
    const handle = await open(client, '/data/growing', read | write | create | truncate);
    await client.ask({ type: 'write', id: 2, handle, offset: 0, data: Buffer.from('so far') });
    expect(await hashesOf(client, { ...all, type: 'check-file-handle', handle })).toEqual([
      sha256(Buffer.from('so far')),
    ]);
  });

  it('refuses other algorithms, tiny blocks, folders, and who may not read', async () => {
    await using client = await connect();
    expect(await client.ask({ ...all, ...source, algorithms: ['md5'] })).toMatchObject({ code: 8 });
    expect(await client.ask({ ...all, ...source, blockBytes: 16 })).toMatchObject({ code: 4 });
    expect(await client.ask({ ...all, ...source, path: Buffer.from('/data') })).toMatchObject({ code: 4 });
    await using other = await connect('acme');
    expect(await other.ask({ ...all, ...source, path: Buffer.from('/dropbox/x') })).toMatchObject({ code: 3 });
  });
});

describe('statvfs', () => {
  const figuresOf = (reply: SftpResponse) => {
    if (reply.type !== 'extended-reply') throw new Error(JSON.stringify(reply));
    const [blockBytes = 0, , total = 0, , available = 0, , , , , flags = 0, nameBytes = 0] = Array.from(
      { length: 11 },
      (_, index) => Number(reply.data.readBigUInt64BE(index * 8)),
    );
    return { totalBytes: total * blockBytes, freeBytes: available * blockBytes, readOnly: flags % 2 === 1, nameBytes };
  };
  const at = (path: string) => ({ type: 'statvfs', id: 1, path: Buffer.from(path) }) as const;

  it('tells the room of the disk that the files are on, by path and by handle', async () => {
    const { bsize, blocks } = await statfs(rig.folder);
    await using client = await connect();
    const byPath = figuresOf(await client.ask(at('/data')));
    expect(byPath).toMatchObject({ totalBytes: bsize * blocks, readOnly: false, nameBytes: 255 });
    expect(byPath.freeBytes).toBeGreaterThan(0);
    expect(byPath.freeBytes).toBeLessThan(byPath.totalBytes);
    const handle = await open(client, '/data/source', read);
    const byHandle = figuresOf(await client.ask({ type: 'fstatvfs', id: 2, handle }));
    expect(byHandle).toMatchObject({ totalBytes: bsize * blocks, readOnly: false });
  });

  it('says where nothing can be written, and nothing about what the user does not reach', async () => {
    await using client = await connect('acme');
    expect(figuresOf(await client.ask(at('/outbox')))).toMatchObject({ readOnly: true });
    expect(await client.ask(at('/private'))).toMatchObject({ type: 'status', code: 2 });
    expect(await client.ask(at('/nowhere'))).toMatchObject({ type: 'status', code: 2 });
  });

  it('is what df of the OpenSSH client shows', async () => {
    const outcome = await sftp('df /data', 'df -i /data');
    expect(outcome).toMatchObject({ exitCode: 0, stderr: '' });
    expect(outcome.stdout).toMatch(/Size\s+Used\s+Avail/u);
  });
});

describe('the home folder', () => {
  const home = { type: 'name', entries: [{ filename: '/' }] };

  it('is the root, for the user alone', async () => {
    await using client = await connect();
    for (const userName of ['', 'globex']) {
      expect(await client.ask({ type: 'home-directory', id: 1, userName: Buffer.from(userName) })).toMatchObject(home);
    }
    for (const userName of ['acme', 'nobody']) {
      expect(await client.ask({ type: 'home-directory', id: 1, userName: Buffer.from(userName) })).toMatchObject({
        code: 2,
        message: 'Only your own home folder can be asked for',
      });
    }
  });

  it.each([
    ['~', '/'],
    ['~/data/../data/x', '/data/x'],
    ['~globex/data', '/data'],
    ['data/~x', '/data/~x'],
  ])('expand-path makes of %s %s', async (path, filename) => {
    await using client = await connect();
    expect(await client.ask({ type: 'expand-path', id: 1, path: Buffer.from(path) })).toMatchObject({
      type: 'name',
      entries: [{ filename }],
    });
  });

  it('of somebody else is not found', async () => {
    await using client = await connect();
    expect(await client.ask({ type: 'expand-path', id: 1, path: Buffer.from('~acme/x') })).toMatchObject({ code: 2 });
  });
});
