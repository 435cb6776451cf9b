import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { ensureRedisServer } from '@waybill/private-datastores/ensure-redis-server';
import { startPrivatePostgres } from '@waybill/private-datastores/start-private-postgres';
import { startPrivateRedis } from '@waybill/private-datastores/start-private-redis';
import { configure } from './bench-configuration.ts';
import { type HttpFiles, startHttpFiles } from './start-http-files.ts';
import { type Nginx, startNginx } from './start-nginx.ts';

/** Both sides of the comparison, on the same disk. */
export interface BenchPlatform extends AsyncDisposable {
  readonly service: HttpFiles;
  readonly nginx: Nginx;
  readonly db: Database;
  /** For the client's files. */
  readonly folder: string;
  /** Deletes the events that consumers would have taken, which do not run here. */
  forgetEvents(): Promise<void>;
}

/** Starts everything in the system's temporary folder (set TMPDIR to choose); everything is removed with it. */
export async function openBenchPlatform(): Promise<BenchPlatform> {
  await using opening = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-'));
  opening.defer(() => rm(folder, { recursive: true, force: true }));
  const nginx = opening.use(await startNginx(join(folder, 'nginx')));
  const postgres = await startPrivatePostgres({
    folder: join(folder, 'postgres'),
    // Memory for the measured data, as usual for a PostgreSQL of this size.
    settings: { shared_buffers: '1GB' },
  });
  opening.defer(() => postgres.stop());
  const program = await ensureRedisServer((line) => console.log(line));
  const redis = await startPrivateRedis({ folder: join(folder, 'redis'), program });
  opening.defer(() => redis.stop());
  const db = connectPostgres({ url: postgres.url(), applicationName: 'bench', statementTimeoutMs: 600_000 });
  opening.defer(() => db.destroy());
  await configure(db);
  const service = opening.use(await startHttpFiles(folder, { databaseUrl: postgres.url(), redisUrl: redis.url }));
  const resources = opening.move();
  return {
    service,
    nginx,
    db,
    folder,
    forgetEvents: async () => {
      await db.raw('TRUNCATE outbox.events');
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}
