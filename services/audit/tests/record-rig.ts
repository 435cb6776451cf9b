import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { migrateWithRoles } from '@waybill/postgres/roles/migrate-with-roles';
import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import { testRoles, urlAs } from '@waybill/test-kit/test-roles';
import { createKnexRecordLog } from '../src/adapters/knex-record-log.ts';
import { createKnexSnapshotSource } from '../src/adapters/knex-snapshot-source.ts';
import { auditSchema } from '../src/audit-schema.ts';
import type { IdentifiedEvent } from '../src/domain/chain/extend-chain.ts';
import type { Signer } from '../src/domain/keys/signer.ts';
import { createTrustedKeys } from '../src/domain/keys/trusted-keys.ts';
import { appendEvents } from '../src/domain/log/append-events.ts';
import { signDueDigest, type DigestPace } from '../src/domain/log/sign-due-digest.ts';
import { verifyChain } from '../src/domain/verification/verify-chain.ts';
import { createTestSigner } from './memory-record.ts';

/** A database with an empty record, and the use-cases on it. */
export async function createRecordRig(signer: Signer = createTestSigner()) {
  await using stack = new AsyncDisposableStack();
  const database = stack.use(await createTestDatabase({ name: 'audit', prepare }));
  const db = connectPostgres({ url: database.url, applicationName: 'audit test' });
  stack.defer(() => db.destroy());
  const trusted = createTrustedKeys([signer.publicKey]);
  const source = createKnexSnapshotSource(db);
  const verify = () =>
    source.read((snapshot) => verifyChain({ snapshot, trusted, now: new Date() }), new AbortController().signal);
  const owned = stack.move();
  return {
    db,
    databaseUrl: database.url,
    /** For a service: as the role that it has in an installation. */
    serviceUrl: urlAs('audit', database.url),
    append: (events: readonly IdentifiedEvent[]) =>
      db.transaction((trx) => appendEvents({ log: createKnexRecordLog(trx), events, signer, trusted })),
    digest: (pace: DigestPace) =>
      db.transaction((trx) => signDueDigest({ log: createKnexRecordLog(trx), signer, trusted, pace, now: new Date() })),
    verify,
    /** Changes by a user with all privileges while the triggers are disabled. */
    tamper: (sql: string) =>
      db.transaction(async (trx) => {
        await trx.raw('SET LOCAL session_replication_role = replica');
        await trx.raw(sql);
      }),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** What `createRecordRig` makes. */
export type RecordRig = Awaited<ReturnType<typeof createRecordRig>>;

async function prepare(url: string): Promise<void> {
  const db = connectPostgres({ url, applicationName: 'prepare' });
  try {
    await migrateWithRoles(db, [outboxSchema, auditSchema], testRoles);
  } finally {
    await db.destroy();
  }
}
