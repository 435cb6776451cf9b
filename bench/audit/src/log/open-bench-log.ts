import { generateKeyPairSync, sign } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKnexRecordLog } from '@waybill/audit/adapters/knex-record-log';
import { auditSchema } from '@waybill/audit/audit-schema';
import type { Signer } from '@waybill/audit/domain/keys/signer';
import { createTrustedKeys } from '@waybill/audit/domain/keys/trusted-keys';
import { createLogWriter } from '@waybill/audit/domain/log/log-writer';
import type { IdentifiedEvent } from '@waybill/audit/domain/records/log-record';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { migrate } from '@waybill/postgres/migrate';
import { startPrivatePostgres } from '@waybill/private-datastores/start-private-postgres';

/** A PostgreSQL of its own with an empty audit log, and a writer of it with a new key. */
export async function openBenchLog(settings: Readonly<Record<string, string>> = {}) {
  await using cleanUp = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-'));
  cleanUp.defer(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPrivatePostgres({ folder: join(folder, 'postgres'), settings: { ...base, ...settings } });
  cleanUp.defer(() => postgres.stop());
  const url = postgres.url('waybill');
  const db = connectPostgres({ url, applicationName: 'bench', statementTimeoutMs: 1_800_000 });
  cleanUp.defer(() => db.destroy());
  for (const schema of [outboxSchema, auditSchema]) await migrate(db, schema);
  const signer = createSigner();
  const trusted = createTrustedKeys([signer.publicKey]);
  const writer = createLogWriter({
    keys: { signer, trusted, reload: () => Promise.resolve() },
    memory: { read: () => Promise.resolve(undefined), remember: () => {} },
    anchored: { contradiction: undefined, compare: () => Promise.resolve(undefined) },
    identity: { managerName: 'manager1', nodeId: 'bench' },
  });
  const owned = cleanUp.move();
  return {
    db,
    url,
    pid: postgres.pid,
    trusted,
    writer,
    /** Appends a batch in a transaction. */
    append: async (events: readonly IdentifiedEvent[]) => {
      const outcome = await db.transaction(async (trx) => writer.append(createKnexRecordLog(trx), events));
      outcome.remember();
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** An audit log under measurement. */
export type BenchLog = Awaited<ReturnType<typeof openBenchLog>>;

/** With fsync, as in an installation; the caches have the size that the documentation recommends. */
const base = { shared_buffers: '2GB', max_wal_size: '8GB' };

function createSigner(): Signer {
  const { privateKey, publicKey } = generateKeyPairSync('ed25519');
  const { x = '' } = publicKey.export({ format: 'jwk' });
  return { publicKey: x, sign: (text) => sign(null, Buffer.from(text), privateKey).toString('base64url') };
}
