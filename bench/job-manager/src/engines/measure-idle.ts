import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { processorSecondsOfTree } from '@waybill/bench-sftp-gateway/processes/read-processor-seconds';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { ensureRedisServer } from '@waybill/private-datastores/ensure-redis-server';
import { freePort } from '@waybill/private-datastores/free-port';
import { startOwnedProcess } from '@waybill/private-datastores/start-owned-process';
import { startPrivatePostgres } from '@waybill/private-datastores/start-private-postgres';
import { startPrivateRedis } from '@waybill/private-datastores/start-private-redis';
import { configureBench } from './configure-bench.ts';

/*
 * What a job manager with all roles does to PostgreSQL while there is nothing to do: its statements a second, counted by
 * pg_stat_statements, and the processor time of all.
 */
const { values } = parseArgs({ options: { seconds: { type: 'string', default: '30' } } });
const seconds = Number(values.seconds);
/** Started services do some things once. */
const settleMs = 10_000;

await using cleanUp = new AsyncDisposableStack();
const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-'));
cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
const postgres = await startPrivatePostgres({
  folder: join(folder, 'postgres'),
  settings: { shared_preload_libraries: 'pg_stat_statements' },
});
cleanUp.defer(() => postgres.stop());
const program = await ensureRedisServer((line) => print(line));
const redis = await startPrivateRedis({ folder: join(folder, 'redis'), program });
cleanUp.defer(() => redis.stop());
const db = connectPostgres({ url: postgres.url('waybill'), applicationName: 'bench' });
cleanUp.defer(() => db.destroy());
await configureBench(db);
await db.raw('CREATE EXTENSION pg_stat_statements');

const port = await freePort();
const manager = await startOwnedProcess({
  command: [process.execPath, fileURLToPath(new URL('../../../../services/job-manager/src/main.ts', import.meta.url))],
  env: {
    PATH: process.env['PATH'] ?? '',
    DATABASE_URL: postgres.url('waybill'),
    DATABASE_PRIVILEGED_USER: 'allow',
    REDIS_URL: redis.url,
    BLOB_DIR: join(folder, 'blobs'),
    ACCESS_SIGNING_KEY_FILE: join(folder, 'access.pem'),
    PORT: String(port),
    LOG_LEVEL: 'warn',
  },
  logFile: join(folder, 'job-manager.log'),
  pidFile: join(folder, 'job-manager.pid'),
  stopSignal: 'SIGTERM',
  patienceMs: 30_000,
});
cleanUp.defer(() => manager.stop());
await delay(settleMs);
// What did not start would be idle, too.
const { ok } = await fetch(`http://127.0.0.1:${port}/health/ready`);
if (!ok) throw new Error('the job manager is not ready');

const pids = [manager.pid, postgres.pid, redis.pid];
await db.raw('SELECT pg_stat_statements_reset()');
const before = await Promise.all(pids.map(processorSecondsOfTree));
await delay(seconds * 1_000);
const after = await Promise.all(pids.map(processorSecondsOfTree));
const { rows } = await db.raw<{ rows: { calls: number; query: string }[] }>(
  `SELECT calls::int AS calls, left(regexp_replace(query, '\\s+', ' ', 'g'), 100) AS query FROM pg_stat_statements
   WHERE query NOT LIKE '%pg_stat_statements%' ORDER BY calls DESC, query`,
);
const [ofNode = '', ofPostgres = '', ofRedis = ''] = after.map((spent, index) =>
  (((spent - (before[index] ?? 0)) / seconds) * 100).toFixed(2),
);
const all = rows.reduce((sum, { calls }) => sum + calls, 0);
print(`idle for ${seconds} s: ${(all / seconds).toFixed(2)} statements/s`);
print(`of a core: Node ${ofNode} %, PostgreSQL ${ofPostgres} %, Redis ${ofRedis} %`);
for (const { calls, query } of rows) print(`${(calls / seconds).toFixed(2).padStart(8)}/s  ${query}`);

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
