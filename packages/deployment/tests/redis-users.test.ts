import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { queueNameOf } from '@waybill/outbox-relay/queue-name';
import { findProgram } from '@waybill/private-datastores/find-program';
import { freePort } from '@waybill/private-datastores/free-port';
import { connectRedis, type RedisConnection } from '@waybill/redis/connect-redis';
import { createQueue } from '@waybill/redis/create-queue';
import { createWorker } from '@waybill/redis/create-worker';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { renderRedisUsers } from '../src/redis-users.ts';

const logger = createLogger({ service: 'test', level: 'fatal' });

/** A Redis with the users of the composed platform; the password of each one is its name. */
describe('the users of Redis', () => {
  let folder: TestFolder;
  let server: ReturnType<typeof spawn>;
  let port: number;
  let acl: string;
  const connections: RedisConnection[] = [];

  beforeAll(async () => {
    folder = await createTestFolder();
    acl = join(folder.path, 'users.acl');
    await writeFile(
      acl,
      renderRedisUsers((name) => [name.replace('redis-', '')]),
    );
    port = await freePort();
    const program = findProgram('redis-server') ?? findProgram('valkey-server') ?? 'redis-server';
    const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder.path, '--save', '', '--aclfile', acl];
    server = spawn(program, args, { stdio: 'ignore' });
    const probe = connect('audit');
    await waitFor(() => probe.call('PING'), { what: 'Redis to answer' });
  });
  afterAll(async () => {
    for (const connection of connections) connection.disconnect();
    server?.kill('SIGKILL');
    if (server?.exitCode === null && server.signalCode === null) await once(server, 'exit');
    await folder?.remove();
  });

  const urlOf = (user: string, password = user) => `redis://${user}:${password}@127.0.0.1:${port}/0`;

  function connect(user: string, password = user): RedisConnection {
    const connection = connectRedis({ url: urlOf(user, password), name: 'test', logger });
    connections.push(connection);
    return connection;
  }

  it.each([
    ['sftp-gateway', 'waybill:sftp:processes'],
    ['sftp-gateway', 'waybill:login-bans:http'],
    ['http-files', 'waybill:http-session:abc'],
    ['http-files', 'waybill:sent-parts:acme'],
    ['job-manager', 'waybill:queue:jobs:probe'],
    ['audit', 'waybill:queue:outbox.audit-event:probe'],
  ])('lets %s use %s', async (user, key) => {
    expect(await connect(user).call('SET', key, '1')).toBe('OK');
  });

  it.each([
    ['audit', 'waybill:queue:jobs:probe'],
    ['audit', 'waybill:http-session:abc'],
    ['job-manager', 'waybill:http-session:abc'],
    ['sftp-gateway', 'waybill:http-session:abc'],
    ['http-files', 'waybill:sftp:processes'],
    ['http-files', 'other'],
  ])('keeps %s from %s', async (user, key) => {
    await expect(connect(user).call('GET', key)).rejects.toThrow('NOPERM');
  });

  it('lets sftp-gateway see that a session of http-files is there, and end it', async () => {
    const key = 'waybill:http-session:seen';
    await connect('http-files').call('SET', key, '1');
    const gateway = connect('sftp-gateway');
    await expect(gateway.call('SET', key, '2')).rejects.toThrow('NOPERM');
    await expect(gateway.call('GETDEL', key)).rejects.toThrow('NOPERM');
    await expect(gateway.call('EXISTS', key, 'waybill:http-sessions-generation')).rejects.toThrow('NOPERM');
    expect(await gateway.call('EXISTS', key)).toBe(1);
    expect(await gateway.call('DEL', key)).toBe(1);
    await expect(connect('job-manager').call('EXISTS', key)).rejects.toThrow('NOPERM');
  });

  it.each([['FLUSHALL'], ['KEYS *'], ['CONFIG SET save x'], ['CLIENT KILL TYPE normal'], ['ACL LIST'], ['SHUTDOWN']])(
    'lets no service run %s',
    async (line) => {
      const [command = '', ...args] = line.split(' ');
      for (const user of ['sftp-gateway', 'http-files', 'job-manager', 'audit']) {
        await expect(connect(user).call(command, ...args)).rejects.toThrow('NOPERM');
      }
    },
  );

  it.each([
    ['http-files', queueNameOf('audit-event'), 'audit'],
    ['sftp-gateway', queueNameOf('audit-event'), 'audit'],
    ['sftp-gateway', queueNameOf('file-event'), 'job-manager'],
    ['job-manager', 'jobs', 'job-manager'],
  ])('lets %s wake workers of %s in %s', async (sender, name, receiver) => {
    let wakeUps = 0;
    const onWakeUp = (): void => void (wakeUps += 1);
    await using _worker = createWorker({ redisUrl: urlOf(receiver), name, logger, onWakeUp });
    await using queue = createQueue({ redisUrl: urlOf(sender), name, logger });
    await queue.wake();
    await waitFor(() => wakeUps > 0, { what: 'the wake-up' });
  });

  it('accepts the new password of a service and the one before until that is removed, without a restart of Redis', async () => {
    const load = async (passwordsOfAudit: readonly string[]) => {
      const passwordsOf = (name: string) => (name === 'redis-audit' ? passwordsOfAudit : [name.replace('redis-', '')]);
      await writeFile(acl, renderRedisUsers(passwordsOf));
      expect(await connect('operator').call('ACL', 'LOAD')).toBe('OK');
    };
    const [key, refused] = ['waybill:queue:outbox.audit-event:rotation', /NOAUTH|WRONGPASS|max retries/u];
    const open = connect('audit');
    expect(await open.call('SET', key, '1')).toBe('OK');

    await load(['new', 'audit']);
    expect(await open.call('GET', key)).toBe('1');
    for (const password of ['audit', 'new']) expect(await connect('audit', password).call('GET', key)).toBe('1');
    await load(['new']);
    expect(await connect('audit', 'new').call('GET', key)).toBe('1');
    await expect(connect('audit', 'audit').call('GET', key)).rejects.toThrow(refused);

    await load(['audit']);
  });

  it('lets the operator do nothing but have the users read again', async () => {
    const operator = connect('operator');
    for (const line of ['GET waybill:x', 'ACL LIST', 'ACL SETUSER audit nopass', 'FLUSHALL', 'CONFIG GET save']) {
      const [command = '', ...args] = line.split(' ');
      await expect(operator.call(command, ...args)).rejects.toThrow('NOPERM');
    }
  });

  it('lets the health check do nothing but PING', async () => {
    const health = connect('health', 'any');
    expect(await health.call('PING')).toBe('PONG');
    await expect(health.call('GET', 'waybill:http-session:abc')).rejects.toThrow('NOPERM');
    await expect(health.call('FLUSHALL')).rejects.toThrow('NOPERM');
  });

  it.each([
    ['default', ''],
    ['audit', 'wrong'],
    ['nobody', 'nobody'],
  ])('refuses %s with the password "%s"', async (user, password) => {
    await expect(connect(user, password).call('GET', 'waybill:x')).rejects.toThrow(/NOAUTH|WRONGPASS|max retries/u);
  });
});
