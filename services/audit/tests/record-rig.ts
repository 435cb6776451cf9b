import { accessSchema } from '@waybill/access/access-schema';
import { directorySchema } from '@waybill/directory/directory-schema';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { migrateWithRoles } from '@waybill/postgres/roles/migrate-with-roles';
import { secretsSchema } from '@waybill/secrets/secrets-schema';
import { createTestDatabase } from '@waybill/test-kit/create-test-database';
import type { DurablePostgres } from '@waybill/test-kit/start-durable-postgres';
import { testRoles, urlAs } from '@waybill/test-kit/test-roles';
import { insertManagers } from '@waybill/test-kit/values/test-managers';
import { createKnexRecordLog } from '../src/adapters/knex-record-log.ts';
import { createKnexLogSource } from '../src/adapters/verification/knex-log-source.ts';
import { auditSchema } from '../src/audit-schema.ts';
import { parseCheckpoint } from '../src/domain/checkpoints/checkpoint.ts';
import type { Signer } from '../src/domain/keys/signer.ts';
import { createTrustedKeys } from '../src/domain/keys/trusted-keys.ts';
import type { AnchoredStates, CheckpointMemory } from '../src/domain/log/checkpoint-memory.ts';
import { createLogWriter } from '../src/domain/log/log-writer.ts';
import type { IdentifiedEvent } from '../src/domain/records/log-record.ts';
import { verifyLog } from '../src/domain/verification/verify-log.ts';
import { createTestSigner } from './some-events.ts';

/** A database with an empty log, a writer of it, and a verification of it. It is on `postgres`, if that is given. */
export async function createRecordRig(signer: Signer = createTestSigner(), postgres?: DurablePostgres) {
  await using stack = new AsyncDisposableStack();
  const database = postgres
    ? { url: postgres.url('waybill') }
    : stack.use(await createTestDatabase({ name: 'audit', prepare }));
  if (postgres) await prepare(database.url);
  const db = connectPostgres({ url: database.url, applicationName: 'audit test' });
  stack.defer(() => db.destroy());
  const trusted = createTrustedKeys([signer.publicKey]);
  const memory = createTestMemory();
  const createWriter = (overrides: { signer?: Signer; trusted?: typeof trusted; memory?: CheckpointMemory } = {}) => {
    const keys = { signer, trusted, reload: () => Promise.resolve(), ...overrides };
    const writer = createLogWriter({
      memory,
      anchored: noAnchors,
      identity: { managerName: 'manager 1', nodeId: 'node1' },
      ...overrides,
      keys,
    });
    const append = async (events: readonly IdentifiedEvent[]) => {
      const outcome = await db.transaction((trx) => writer.append(createKnexRecordLog(trx), events));
      outcome.remember();
      return outcome;
    };
    return Object.assign(append, { writer });
  };
  const append = createWriter();
  const source = createKnexLogSource(db);
  const verify = async () => {
    const remembered = (await memory.read())?.checkpoint;
    return verifyLog({ source, trusted, remembered, now: new Date(), signal: new AbortController().signal });
  };
  const owned = stack.move();
  return {
    db,
    databaseUrl: database.url,
    /** For a service: as the role that it has in an installation. */
    serviceUrl: urlAs('audit', database.url),
    memory,
    signer,
    trusted,
    /** Another process that writes to the log. */
    createWriter,
    append,
    writer: append.writer,
    verify,
    findings: async () => (await verify()).findings.map(({ kind, sequence }) => `${kind} ${sequence}`),
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

/** No anchors. */
export const noAnchors: AnchoredStates = { contradiction: undefined, compare: () => Promise.resolve(undefined) };

/** Remembers in this process. */
export function createTestMemory(): CheckpointMemory & { note: string | undefined } {
  const memory = {
    note: undefined as string | undefined,
    read: () => {
      const checkpoint = memory.note === undefined ? undefined : parseCheckpoint(memory.note);
      return Promise.resolve(checkpoint && { checkpoint, note: memory.note ?? '', accepted: undefined });
    },
    remember: (note: string) => {
      memory.note = note;
    },
  };
  return memory;
}

async function prepare(url: string): Promise<void> {
  const db = connectPostgres({ url, applicationName: 'prepare' });
  try {
    await migrateWithRoles(db, [outboxSchema, accessSchema, directorySchema, secretsSchema, auditSchema], testRoles);
    await db.raw(insertManagers);
  } finally {
    await db.destroy();
  }
}
