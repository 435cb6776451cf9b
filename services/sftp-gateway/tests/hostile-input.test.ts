import type { SftpRequest } from '@waybill/sftp-protocol/requests/sftp-request';
import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { protocolLimits } from '@waybill/sftp-protocol/wire/protocol-limits';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { describe, expect, it } from 'vitest';
import { connectRawSftp } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';

const peer = oneGateway();

const connect = (initialise = true) => connectRawSftp({ port: peer.gateway.sftpPort, user: 'globex', initialise });
const path = (text: string) => Buffer.from(text);
const writing: SftpRequest = {
  type: 'open',
  id: 1,
  path: path('/data/raw'),
  flags: openFlag.write | openFlag.create | openFlag.truncate,
  attributes: {},
};

async function stillServes(): Promise<boolean> {
  const login = { port: peer.gateway.sftpPort, user: 'globex', password: 'globex-demo' };
  return (await runSftp({ ...login, commands: ['ls /data'] })).exitCode === 0;
}

describe('a channel that violates the protocol is closed, and nothing else is', () => {
  it.each([
    ['a packet above the limit', Buffer.from([0, 4, 0, 1, 5, 0])],
    ['a packet of 4 GiB', Buffer.from([255, 255, 255, 255, 5])],
    ['a packet without a type', Buffer.from([0, 0, 0, 0])],
    ['a packet too short for a request id', Buffer.from([0, 0, 0, 3, 5, 0, 0])],
    ['a second INIT', Buffer.from([0, 0, 0, 5, 1, 0, 0, 0, 3])],
  ])('%s', async (_name, bytes) => {
    await using client = await connect();
    client.sendBytes(bytes);
    await client.closed;
    expect(await stillServes()).toBe(true);
  });

  it('a request before INIT', async () => {
    await using client = await connect(false);
    client.send({ type: 'stat', id: 1, path: path('/') });
    await client.closed;
    expect(await stillServes()).toBe(true);
  });

  it('an end in the middle of a packet', async () => {
    await using client = await connect();
    client.sendBytes(Buffer.from([0, 0, 0, 50, 17, 0]));
    client.channel.end();
    await client.closed;
    expect(await stillServes()).toBe(true);
  });

  it('more data than the window allows', async () => {
    await using client = await connect();
    // The client of ssh2 respects its window; this enlarges it.
    Object.assign(client.channel.outgoing as object, { window: 64 * 1024 * 1024 });
    const handle = await client.ask(writing);
    expect(handle.type).toBe('handle');
    client.sendBytes(Buffer.alloc(32 * 1024 * 1024, 0xff));
    await client.closed;
    expect(await stillServes()).toBe(true);
  });
});

describe('an invalid request is answered, and the channel continues', () => {
  it.each<[string, SftpRequest, number]>([
    ['a type of another version', { type: 'unknown', id: 9, packetType: 99 }, statusCode.opUnsupported],
    [
      'an extension that was not announced',
      { type: 'extended', id: 9, name: 'hardlink@openssh.com', data: Buffer.from([0, 0, 0, 1, 0x2f]) },
      statusCode.opUnsupported,
    ],
    ['an unknown handle', { type: 'read', id: 9, handle: Buffer.from('x'), offset: 0, length: 9 }, statusCode.failure],
    [
      'a path of bytes that are not UTF-8',
      { type: 'stat', id: 9, path: Buffer.from([0x2f, 0xff]) },
      statusCode.failure,
    ],
    ['a path with NUL', { type: 'stat', id: 9, path: path('/da\0ta') }, statusCode.failure],
    ['a path above 4096 bytes', { type: 'stat', id: 9, path: path('/a'.repeat(3000)) }, statusCode.failure],
    ['a link', { type: 'symlink', id: 9, linkPath: path('/a'), targetPath: path('/b') }, statusCode.opUnsupported],
    ['readlink', { type: 'readlink', id: 9, path: path('/data') }, statusCode.opUnsupported],
    [
      'an OPEN that neither reads nor writes',
      { type: 'open', id: 9, path: path('/data/x'), flags: 0, attributes: {} },
      statusCode.failure,
    ],
    ['deleting a mount', { type: 'rmdir', id: 9, path: path('/') }, statusCode.permissionDenied],
    ['a missing file', { type: 'stat', id: 9, path: path('/data/none') }, statusCode.noSuchFile],
    ['a missing folder', { type: 'opendir', id: 9, path: path('/none') }, statusCode.noSuchFile],
  ])('%s', async (_name, request, code) => {
    await using client = await connect();
    expect(await client.ask(request)).toMatchObject({ type: 'status', id: 9, code });
    expect(await client.ask({ type: 'stat', id: 10, path: path('/data') })).toMatchObject({ type: 'attrs', id: 10 });
  });

  it('a truncated body in a complete packet', async () => {
    await using client = await connect();
    client.sendBytes(Buffer.from([0, 0, 0, 9, 17, 0, 0, 0, 7, 0, 0, 0, 99]));
    expect(await client.receive()).toMatchObject({ type: 'status', id: 7, code: statusCode.badMessage });
    expect(await client.ask({ type: 'stat', id: 8, path: path('/data') })).toMatchObject({ type: 'attrs', id: 8 });
  });

  it('a handle of another channel', async () => {
    await using one = await connect();
    await using other = await connect();
    const opened = await one.ask({ ...writing, path: path('/data/mine') });
    const handle = opened.type === 'handle' ? opened.handle : Buffer.alloc(0);
    const stolen = await other.ask({ type: 'write', id: 2, handle, offset: 0, data: path('stolen') });
    expect(stolen).toMatchObject({ type: 'status', code: statusCode.failure });
  });

  it('a closed handle, even after as many were opened again', async () => {
    await using client = await connect();
    const open = async (id: number) => {
      const opened = await client.ask({ type: 'opendir', id, path: path('/data') });
      return opened.type === 'handle' ? opened.handle : Buffer.alloc(0);
    };
    const handle = await open(1);
    expect(await client.ask({ type: 'close', id: 2, handle })).toMatchObject({ code: statusCode.ok });
    await open(3);
    for (const type of ['readdir', 'close', 'fstat'] as const) {
      expect(await client.ask({ type, id: 4, handle })).toMatchObject({ type: 'status', code: statusCode.failure });
    }
  });

  it('`..` above the root stays at the root', async () => {
    await using client = await connect();
    const answer = await client.ask({ type: 'realpath', id: 3, path: path('../../etc/../data/./') });
    expect(answer).toMatchObject({ type: 'name', entries: [{ filename: '/data' }] });
  });

  it('more open handles than are allowed', async () => {
    await using client = await connect();
    for (let id = 0; id < 256; id += 1) await client.ask({ type: 'opendir', id, path: path('/data') });
    expect(await client.ask({ type: 'opendir', id: 999, path: path('/data') })).toMatchObject({
      type: 'status',
      code: statusCode.failure,
    });
  });
});

describe('transfers', () => {
  it('announces its limits and exactly its extensions', async () => {
    await using client = await connect(false);
    const version = await client.ask({ type: 'init', version: 3, extensions: [] });
    expect(version).toMatchObject({ type: 'version', version: 3 });
    expect(version.type === 'version' && version.extensions.map(({ name }) => name)).toEqual([
      'posix-rename@openssh.com',
      'fsync@openssh.com',
      'limits@openssh.com',
      'statvfs@openssh.com',
      'fstatvfs@openssh.com',
      'expand-path@openssh.com',
      'copy-data',
      'check-file',
      'home-directory',
    ]);
    const limits = await client.ask({ type: 'limits', id: 1 });
    expect(limits.type === 'extended-reply' && limits.data.readBigUInt64BE(8)).toBe(BigInt(protocolLimits.dataBytes));
  });

  it('limits a READ of 4 GiB to what a packet carries', async () => {
    await using client = await connect();
    const opened = await client.ask({ ...writing, path: path('/data/large') });
    const handle = opened.type === 'handle' ? opened.handle : Buffer.alloc(0);
    const part = Buffer.alloc(200 * 1024, 7);
    await client.ask({ type: 'write', id: 2, handle, offset: 0, data: part });
    await client.ask({ type: 'write', id: 3, handle, offset: part.length, data: part });
    expect(await client.ask({ type: 'fsync', id: 4, handle })).toMatchObject({ code: statusCode.ok });
    expect(await client.ask({ type: 'fstat', id: 5, handle })).toMatchObject({
      attributes: { size: 2 * part.length },
    });
    await client.ask({ type: 'close', id: 6, handle });
    const reopened = await client.ask({
      type: 'open',
      id: 7,
      path: path('/data/large'),
      flags: openFlag.read,
      attributes: {},
    });
    const reading = reopened.type === 'handle' ? reopened.handle : Buffer.alloc(0);
    const data = await client.ask({ type: 'read', id: 8, handle: reading, offset: 0, length: 0xffff_ffff });
    expect(data.type === 'data' && data.data.length).toBe(protocolLimits.dataBytes);
    const end = await client.ask({ type: 'read', id: 9, handle: reading, offset: 2 * part.length, length: 10 });
    expect(end).toMatchObject({ type: 'status', code: statusCode.eof });
  });

  it('commits WRITEs and the CLOSE behind them if all are sent without waiting', async () => {
    await using client = await connect();
    const opened = await client.ask({ ...writing, path: path('/data/pipelined') });
    const handle = opened.type === 'handle' ? opened.handle : Buffer.alloc(0);
    const part = Buffer.alloc(32 * 1024, 3);
    const count = 200;
    for (let index = 0; index < count; index += 1) {
      client.send({ type: 'write', id: 100 + index, handle, offset: index * part.length, data: part });
    }
    client.send({ type: 'close', id: 900, handle });
    client.send({ type: 'stat', id: 901, path: path('/data/pipelined') });
    const answers = [];
    for (let index = 0; index < count + 2; index += 1) answers.push(await client.receive());
    expect(answers.slice(0, count).every((answer) => answer.type === 'status' && answer.code === 0)).toBe(true);
    expect(answers.slice(-2)).toMatchObject([
      { type: 'status', id: 900, code: statusCode.ok },
      { type: 'attrs', id: 901, attributes: { size: count * part.length } },
    ]);
  });
});
