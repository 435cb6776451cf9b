import { createHash, randomBytes } from 'node:crypto';
import { statfs, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SftpRequest } from '@waybill/sftp-protocol/requests/sftp-request';
import type { SftpResponse } from '@waybill/sftp-protocol/responses/sftp-response';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';

const { read, write, create, truncate } = openFlag;

const peer = oneGateway();
let local: Awaited<ReturnType<typeof createTestFolder>>;
const content = randomBytes(2_500_000);

beforeAll(async () => {
  local = await createTestFolder();
  await writeFile(join(local.path, 'source'), content);
  const outcome = await sftp(`put ${local.path}/source /data/source`);
  if (outcome.exitCode !== 0) throw new Error(outcome.stderr);
});
afterAll(() => local?.remove());

const sftp = (...commands: string[]) =>
  runSftp({ port: peer.gateway.sftpPort, user: 'globex', password: 'globex-demo', commands });
const connect = (user = 'globex') => connectRawSftp({ port: peer.gateway.sftpPort, user });
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

async function open(client: RawSftpClient, path: string, flags: number): Promise<Buffer> {
  const opened = await client.ask({ type: 'open', id: 1, path: Buffer.from(path), flags, attributes: {} });
  if (opened.type !== 'handle') throw new Error(`OPEN was answered with ${JSON.stringify(opened)}`);
  return opened.handle;
}

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

  it('returns the hash of a stored file, of a range, and of its blocks', async () => {
    await using client = await connect();
    expect(await hashesOf(client, { ...all, ...source })).toEqual([sha256(content)]);
    expect(await hashesOf(client, { ...all, ...source, offset: 10, length: 300 })).toEqual([
      sha256(content.subarray(10, 310)),
    ]);
    expect(await hashesOf(client, { ...all, ...source, blockBytes: 1_000_000 })).toEqual(
      [content.subarray(0, 1_000_000), content.subarray(1_000_000, 2_000_000), content.subarray(2_000_000)].map(sha256),
    );
  });

  it('returns the hash of an open file in its present state while it is written', async () => {
    await using client = await connect();
    const reading = await open(client, '/data/source', read);
    expect(await hashesOf(client, { ...all, type: 'check-file-handle', handle: reading })).toEqual([sha256(content)]);
    const handle = await open(client, '/data/growing', read | write | create | truncate);
    await client.ask({ type: 'write', id: 2, handle, offset: 0, data: Buffer.from('so far') });
    expect(await hashesOf(client, { ...all, type: 'check-file-handle', handle })).toEqual([
      sha256(Buffer.from('so far')),
    ]);
  });

  it('refuses other algorithms, tiny blocks, folders, and users without read permission', async () => {
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

  it('returns the room of the disk of the files, by path and by handle', async () => {
    const { bsize, blocks } = await statfs(peer.rig.folder);
    await using client = await connect();
    const byPath = figuresOf(await client.ask(at('/data')));
    expect(byPath).toMatchObject({ totalBytes: bsize * blocks, readOnly: false, nameBytes: 255 });
    expect(byPath.freeBytes).toBeGreaterThan(0);
    expect(byPath.freeBytes).toBeLessThan(byPath.totalBytes);
    const handle = await open(client, '/data/source', read);
    const byHandle = figuresOf(await client.ask({ type: 'fstatvfs', id: 2, handle }));
    expect(byHandle).toMatchObject({ totalBytes: bsize * blocks, readOnly: false });
  });

  it('is read-only without write permission, and discloses nothing out of reach of the user', async () => {
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

  it('is the root, for the user only', async () => {
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
  ])('expand-path turns %s into %s', async (path, filename) => {
    await using client = await connect();
    expect(await client.ask({ type: 'expand-path', id: 1, path: Buffer.from(path) })).toMatchObject({
      type: 'name',
      entries: [{ filename }],
    });
  });

  it('of another user is not found', async () => {
    await using client = await connect();
    expect(await client.ask({ type: 'expand-path', id: 1, path: Buffer.from('~acme/x') })).toMatchObject({ code: 2 });
  });
});
