import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { connectRedis } from '@waybill/redis/connect-redis';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import { SMTPServer } from 'smtp-server';
import { expect } from 'vitest';
import type { TestPlatform } from './start-test-platform.ts';

/** A certificate with its key. */
interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** A partner that answers with the headers of the request, among them the credentials. */
export async function startEchoingApi(tls: TlsPair, stop: AsyncDisposableStack): Promise<number> {
  const server = createServer(tls, (request, response) => {
    const { authorization = '' } = request.headers;
    const decoded = Buffer.from(authorization.split(' ')[1] ?? '', 'base64').toString();
    response.writeHead(request.url === '/fail' ? 403 : 200);
    response.end(`you sent ${authorization}, which is ${decoded}`);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  stop.defer(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

/** A mail server that says which password it has refused. */
export async function startEchoingMailServer(tls: TlsPair, stop: AsyncDisposableStack): Promise<number> {
  const server = new SMTPServer({
    ...tls,
    secure: true,
    logger: false,
    onAuth: ({ password }, _session, done) => {
      const refusal = new Error(`${password} (${Buffer.from(password ?? '').toString('base64')}) is wrong`);
      done(Object.assign(refusal, { responseCode: 535 }));
    },
  });
  const listening = server.listen(0, '127.0.0.1');
  await once(listening, 'listening');
  stop.defer(() => server.close());
  return (listening.address() as AddressInfo).port;
}

/** Every row of every table. */
export async function everyRow({ database }: Pick<TestPlatform, 'database'>): Promise<string> {
  const tables = (await database.query(
    `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
     WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
  )) as { name: string }[];
  expect(tables.length).toBeGreaterThan(20);
  const rows = await Promise.all(
    tables.map(({ name }) => database.query(`SELECT CAST(t AS text) AS row FROM ${name} AS t`)),
  );
  return JSON.stringify(rows.flat().map((row) => (row as { row: string }).row));
}

/** Every key of Redis, with its value. */
export async function everyKey({ redis: { url } }: Pick<TestPlatform, 'redis'>, logger: Logger): Promise<string> {
  const redis = connectRedis({ url, name: 'canary', logger });
  try {
    const read: Record<string, (key: string) => Promise<unknown>> = {
      string: (key) => redis.get(key),
      hash: (key) => redis.hgetall(key),
      list: (key) => redis.lrange(key, 0, -1),
      set: (key) => redis.smembers(key),
      zset: (key) => redis.zrange(key, '0', '-1'),
      stream: (key) => redis.xrange(key, '-', '+'),
    };
    const keys = await redis.keys('*');
    const values = await Promise.all(keys.map(async (key) => (await read[await redis.type(key)]?.(key)) ?? ''));
    return JSON.stringify([keys, values]);
  } finally {
    redis.disconnect();
  }
}
