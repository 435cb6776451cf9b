import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { createFilebox } from '@waybill/filebox/create-filebox';
import type { Filebox } from '@waybill/filebox/filebox';
import { fileboxSchema } from '@waybill/filebox/filebox-schema';
import type { Origin } from '@waybill/filebox/model/origin';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { migrate } from '@waybill/postgres/migrate';
import { startPrivatePostgres } from '@waybill/private-datastores/start-private-postgres';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';

/** The uploader of the benchmarks. */
export const origin: Origin = {
  userName: userNameSchema.parse('bench'),
  actorName: 'bench',
  clusterName: 'cluster1',
  peerName: 'peer1',
  serverName: 'sftp-server',
  protocol: 'SFTP',
};

/** The VFS of the benchmarks. */
export const vfsId = 'bench';

/** A filebox on a private PostgreSQL with full durability, and a folder on the same disk. */
export interface BenchFilebox extends AsyncDisposable {
  filebox: Filebox;
  db: Database;
  /** For the other side of a comparison. */
  plainDir: string;
}

/** Opens one in the system's temporary folder (set TMPDIR to choose); everything is removed with it. */
export async function openBenchFilebox(): Promise<BenchFilebox> {
  await using opening = new AsyncDisposableStack();
  const dir = await mkdtemp(join(tmpdir(), 'waybill-bench-'));
  opening.defer(() => rm(dir, { recursive: true, force: true }));
  const postgres = await startPrivatePostgres({ folder: join(dir, 'postgres') });
  opening.defer(() => postgres.stop());
  const db = connectPostgres({
    url: postgres.url('waybill'),
    applicationName: 'bench',
    poolSize: 20,
    statementTimeoutMs: 600_000,
  });
  opening.defer(() => db.destroy());
  for (const schema of [outboxSchema, fileboxSchema]) await migrate(db, schema);
  const filebox = opening.use(
    await createFilebox({
      db,
      blobDir: join(dir, 'blobs'),
      managerName: 'manager1',
      logger: createLogger({ service: 'bench', level: 'silent' }),
      metrics: createMetrics('bench'),
    }),
  );
  const resources = opening.move();
  return { filebox, db, plainDir: dir, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
