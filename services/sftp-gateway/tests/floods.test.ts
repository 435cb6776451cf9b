import { readFile } from 'node:fs/promises';
import { statusCode } from '@waybill/sftp-protocol/responses/status-code';
import { openFlag } from '@waybill/sftp-protocol/wire/open-flag';
import { protocolLimits } from '@waybill/sftp-protocol/wire/protocol-limits';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, expect, it } from 'vitest';
import { connectRawSftp, type RawSftpClient } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';
import { waitUntilStill } from './wait-until-still.ts';

const peer = oneGateway({ env: { SFTP_IDLE_TIMEOUT_SECONDS: '3' } });

const established = '01';
/** Lines of `/proc/net/tcp`, in which a port is hexadecimal. */
const connections = async () => {
  const port = `:${peer.gateway.sftpPort.toString(16).toUpperCase().padStart(4, '0')} `;
  const lines = (await readFile('/proc/net/tcp', 'utf8')).split('\n');
  return lines.filter((line) => line.includes(port) && line.trim().split(/\s+/u)[3] === established).length;
};
afterEach(async () => {
  await waitFor(async () => (await connections()) === 0, { what: 'all connections to be closed' });
  await waitFor(() => held() < bound / 2, { what: 'the memory to be given back' });
});

/** Client and gateway are one process here: both may hold a few windows. */
const bound = 64 * 1024 * 1024;
const login = () => ({ port: peer.gateway.sftpPort, user: 'globex' });
const held = () => process.memoryUsage().arrayBuffers;

async function open(client: RawSftpClient, name: string, flags: number): Promise<Buffer> {
  const opened = await client.ask({ type: 'open', id: 1, path: Buffer.from(name), flags, attributes: {} });
  if (opened.type !== 'handle') throw new Error(`${name} was not opened`);
  return opened.handle;
}

async function expectService(): Promise<void> {
  const listed = await runSftp({ ...login(), password: 'globex-demo', commands: ['ls /data'] });
  expect(listed).toMatchObject({ exitCode: 0 });
}

const writing = openFlag.write | openFlag.create | openFlag.truncate;

it('a client that reads no responses is throttled, and receives all of them later', async () => {
  await using client = await connectRawSftp(login());
  const written = await open(client, '/data/read-flood', writing);
  await client.ask({ type: 'write', id: 2, handle: written, offset: 0, data: Buffer.alloc(250 * 1024, 1) });
  await client.ask({ type: 'close', id: 3, handle: written });
  const handle = await open(client, '/data/read-flood', openFlag.read);
  client.channel.pause();
  const before = held();
  // 600 responses are 149 MiB.
  const count = 600;
  for (let id = 10; id < 10 + count; id += 1) {
    client.send({ type: 'read', id, handle, offset: 0, length: protocolLimits.dataBytes });
  }
  await waitUntilStill(client);
  expect(held() - before).toBeLessThan(bound);
  await expectService();
  client.channel.resume();
  await waitFor(() => client.unread.length === count, { what: 'all answers' });
});

it('a client that floods with WRITEs and reads no response is throttled, and no byte is lost', async () => {
  await using client = await connectRawSftp(login());
  const handle = await open(client, '/data/write-flood', writing);
  client.channel.pause();
  const before = held();
  // 200 WRITEs are 50 MiB, of which the client holds what the window does not admit; their responses fill no window.
  const data = Buffer.alloc(protocolLimits.dataBytes, 2);
  const count = 200;
  for (let index = 0; index < count; index += 1) {
    client.send({ type: 'write', id: 10 + index, handle, offset: index * data.length, data });
  }
  await waitUntilStill(client);
  expect(held() - before).toBeLessThan(bound + count * data.length);
  await expectService();
  client.channel.resume();
  await waitFor(() => client.unread.length === count, { what: 'all answers' });
  expect(client.unread.every((answer) => answer.type === 'status' && answer.code === statusCode.ok)).toBe(true);
});

it('a hundred thousand small requests without reading a response are throttled', async () => {
  await using client = await connectRawSftp(login());
  client.channel.pause();
  const before = held();
  const count = 100_000;
  for (let id = 1; id <= count; id += 1) client.send({ type: 'realpath', id, path: Buffer.from('/data') });
  await waitUntilStill(client);
  expect(held() - before).toBeLessThan(bound);
  await expectService();
});

it('twenty clients without any window receive nothing, hold nothing, and are ended when they idle', async () => {
  const before = held();
  const claims = { window: 0, packetBytes: 32 * 1024 };
  const clients = await Promise.all(
    Array.from({ length: 20 }, () => connectRawSftp({ ...login(), initialise: false, claims })),
  );
  const ended = clients.map(
    ({ connection }) => new Promise((resolve) => connection.once('close', () => resolve(true))),
  );
  for (const client of clients) {
    client.send({ type: 'init', version: 3, extensions: [] });
    for (let id = 1; id <= 500; id += 1) client.send({ type: 'opendir', id, path: Buffer.from('/data') });
  }
  await waitUntilStill(...clients);
  expect(clients.map(({ unread }) => unread.length)).toEqual(clients.map(() => 0));
  expect(held() - before).toBeLessThan(bound);
  await expectService();
  await Promise.all(ended);
});
