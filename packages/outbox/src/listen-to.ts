import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FileEvent } from '@waybill/contracts/messages/file-event';
import type { Database, Transaction } from '@waybill/postgres/database';

/** The subject of a listener that listens to every subject. */
export const everySubject = '*';

/** For `fileEventSubject`: every folder of a VFS. */
export const everyFolder = '*';

/** The subject of file events of one kind in one folder, or in `everyFolder`, for `listenTo`. */
export function fileEventSubject(about: Pick<FileEvent, 'kind' | 'vfsId'> & { folder: string }): string {
  return JSON.stringify([about.kind, about.vfsId, about.folder]);
}

/** Transactions that append events are never open for longer: PostgreSQL ends idle transactions after a minute. */
const patienceMs = 120_000;
const lookEveryMs = 10;

/**
 * Sets the subjects that a listener listens to, as part of the transaction. Its previous subjects are removed, and so
 * is the entry of a killed `listenToEverything`. A transaction that began before the commit may not have seen it:
 * callers that must not miss its events listen to everything meanwhile.
 */
export async function listenTo(trx: Transaction, listener: string, subjects: readonly string[]): Promise<void> {
  await trx.raw(
    `DELETE FROM outbox.listened
     WHERE listener IN ('default', :listener) OR (subject = :everySubject AND since < now() - interval '1 hour')`,
    { listener, everySubject },
  );
  await trx.raw(
    `INSERT INTO outbox.listened (subject, listener) SELECT DISTINCT subject, :listener FROM unnest(CAST(:subjects AS text[])) AS subject`,
    { listener, subjects: [...subjects] },
  );
}

/**
 * Listens to every subject until it is disposed of. When it resolves, all transactions have ended that may have decided
 * without it which events to append, so that every later commit has its events.
 * @throws Error if such a transaction does not end
 */
export async function listenToEverything(db: Database): Promise<AsyncDisposable> {
  const listener = `everything ${randomUUID()}`;
  const end = async (): Promise<void> => {
    await db.raw('DELETE FROM outbox.listened WHERE listener = ?', [listener]);
  };
  await db.raw('INSERT INTO outbox.listened (subject, listener) VALUES (?, ?)', [everySubject, listener]);
  try {
    await untilDecided(db);
  } catch (error) {
    await end().catch(() => {});
    throw error;
  }
  // The next `listenTo` removes what is left behind; until then more events are appended than needed.
  return { [Symbol.asyncDispose]: () => end().catch(() => {}) };
}

/**
 * Resolves when the transactions that append events now have ended. A statement takes its locks before its snapshot
 * (`exec_bind_message` of PostgreSQL): one that did not see the changes committed before this call already holds its
 * lock.
 */
async function untilDecided(db: Database): Promise<void> {
  const deadline = performance.now() + patienceMs;
  const before = await appending(db);
  for (let now = before; before.some((transaction) => now.includes(transaction)); now = await appending(db)) {
    if (performance.now() > deadline) throw new Error('Transactions that append events have not ended for two minutes');
    await sleep(lookEveryMs);
  }
}

async function appending(db: Database): Promise<string[]> {
  const { rows } = await db.raw<{ rows: { virtualtransaction: string }[] }>(
    `SELECT virtualtransaction FROM pg_locks
     WHERE locktype = 'relation' AND relation = CAST('outbox.events' AS regclass) AND mode = 'RowExclusiveLock'
       AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`,
  );
  return rows.map(({ virtualtransaction }) => virtualtransaction);
}
