import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { connectRedis } from '@waybill/redis/connect-redis';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { runSftp } from '@waybill/test-kit/run-sftp';
import { waitFor } from '@waybill/test-kit/wait-for';
import { describe, expect, it } from 'vitest';
import { connectRawSftp } from './raw-sftp-client.ts';
import { oneGateway } from './test-gateways.ts';

const megabyte = 1024 * 1024;
const graceSeconds = 10;
const peer = oneGateway({ env: { SFTP_LOGIN_GRACE_SECONDS: String(graceSeconds) } });

const collectGarbage = (() => {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
})();

/** Bytes in use. Pages that V8 reserves do not count. */
function memoryInUse(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const openFiles = async () => (await readdir('/proc/self/fd')).length;

/** Keys about logins: others come and go with the leases of gateways. */
async function keysInRedis(): Promise<string[]> {
  const redis = connectRedis({
    url: peer.rig.redis.url,
    name: 'test',
    logger: createLogger({ service: 'test', level: 'silent' }),
  });
  const keys = await redis.keys('waybill:login*');
  redis.disconnect();
  return keys.toSorted();
}

/** A connection through a balancer, from an address of a separate network. */
async function balancedConnection(port: number, index: number): Promise<Socket> {
  const header = Buffer.alloc(52);
  header.write('\r\n\r\n\0\r\nQUIT\n', 'latin1');
  header.set([0x21, 0x21, 0, 36, 0x20, 0x01, 0x0d, 0xb8], 12);
  header.writeUInt32BE(index, 20);
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
  socket.on('error', () => {});
  socket.resume();
  await once(socket, 'connect');
  socket.write(header);
  return socket;
}

async function idleConnection(index: number): Promise<Socket> {
  // From ten addresses, because the limit of one would suffice otherwise.
  const socket = connect({
    port: peer.gateway.sftpPort,
    host: '127.0.0.1',
    localAddress: `127.0.0.${10 + (index % 10)}`,
  });
  socket.on('error', () => {});
  socket.resume();
  await once(socket, 'connect');
  if (index % 2 === 0) socket.write('SSH-2.0-Idle\r\n');
  return socket;
}

describe('500 connections that never log in', () => {
  it('take no more than their share, harm no session, exclude no client, and leave nothing behind', async () => {
    await using session = await connectRawSftp({ port: peer.gateway.sftpPort, user: 'globex' });
    const look = () => session.ask({ type: 'stat', id: 7, path: Buffer.from('/data') });
    const base = { files: await openFiles(), memory: process.memoryUsage().rss };

    const sockets = await Promise.all(Array.from({ length: 500 }, (_, index) => idleConnection(index)));
    const alive = () => sockets.filter((socket) => !socket.destroyed).length;
    // The limit is 200; from half of it on connections are dropped at random.
    await waitFor(() => alive() <= 200, { what: 'the rest to be dropped' });
    expect(alive()).toBeGreaterThan(50);
    expect(await look()).toMatchObject({ type: 'attrs', id: 7 });
    // Client and server are one process here: two files for each remaining connection.
    expect(await openFiles()).toBeLessThan(base.files + 2 * 200 + 50);
    expect(process.memoryUsage().rss - base.memory).toBeLessThan(128 * megabyte);

    const login = { port: peer.gateway.sftpPort, user: 'globex', password: 'globex-demo', commands: ['ls /data'] };
    const getsIn = async () => (await runSftp(login)).exitCode === 0;
    expect(await waitFor(getsIn, { what: 'an honest client to get in by trying again' })).toBe(true);

    await waitFor(() => alive() === 0, { what: 'the grace time to end', timeoutMs: (graceSeconds + 10) * 1_000 });
    await waitFor(async () => (await openFiles()) <= base.files + 5, { what: 'all files to be closed' });
    expect(await look()).toMatchObject({ type: 'attrs', id: 7 });
    expect(process.memoryUsage().rss - base.memory).toBeLessThan(96 * megabyte);
  });
});

describe('10 000 connections from as many addresses', { timeout: 300_000 }, () => {
  it('are dropped beyond the limit, leave nothing in Redis and in memory, and an honest client gets in', async () => {
    await using behindBalancer = await peer.rig.start('balanced', { SFTP_PROXY_PROTOCOL_FROM: '127.0.0.2/32' });
    const keysBefore = await keysInRedis();
    const before = memoryInUse();
    for (let batch = 0; batch < 20; batch += 1) {
      const sockets = await Promise.all(
        Array.from({ length: 500 }, (_, index) => balancedConnection(behindBalancer.sftpPort, batch * 500 + index)),
      );
      const alive = () => sockets.filter((socket) => !socket.destroyed).length;
      await waitFor(() => alive() <= 200, { what: 'the rest to be dropped', timeoutMs: 60_000 });
      for (const socket of sockets) socket.destroy();
    }
    expect(await keysInRedis()).toEqual(keysBefore);
    // Destroyed connections end a moment later.
    await waitFor(() => memoryInUse() - before < 32 * megabyte, { what: 'the memory to be free again' });
    const login = { port: behindBalancer.sftpPort, user: 'globex', password: 'globex-demo', commands: ['ls /data'] };
    const getsIn = async () => (await runSftp(login)).exitCode === 0;
    expect(await waitFor(getsIn, { what: 'an honest client to get in' })).toBe(true);
  });
});

describe('a session over time', () => {
  it('gets new keys after the time for it, without any traffic', async () => {
    await using renewing = await peer.rig.start('renewing', { SFTP_REKEY_SECONDS: '10', SFTP_KEEPALIVE_SECONDS: '60' });
    await using session = await connectRawSftp({ port: renewing.sftpPort, user: 'globex' });
    const exchanges: number[] = [];
    const began = Date.now();
    session.connection.on('handshake', () => exchanges.push(Date.now() - began));
    await waitFor(() => exchanges.length > 0, { what: 'new keys', timeoutMs: 16_000, intervalMs: 100 });
    expect(exchanges[0]).toBeGreaterThan(8_000);
    expect(await session.ask({ type: 'stat', id: 8, path: Buffer.from('/data') })).toMatchObject({ type: 'attrs' });
  });
});
