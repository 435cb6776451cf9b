import type { Queryable } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { appendMessages } from './append-messages.ts';
import { appendMessagesSql, type AppendedMessage, type OutboxMessage } from './message-rows.ts';

/**
 * Sends messages to other services as part of a transaction: they are delivered if, and only if, it commits. Called
 * with the database itself, it is a separate transaction. Messages of one call keep their order; file events that no
 * contract listens to are left out.
 */
export async function appendToOutbox(on: Queryable, messages: readonly OutboxMessage[]): Promise<void> {
  if (messages.length === 0) return;
  await appendMessages(on, messages, async (bindings) => ({
    result: undefined,
    appended: await runPrepared<AppendedMessage>(on, appending, { ...bindings }),
  }));
}

const appending = prepareStatement('outbox append', `${appendMessagesSql} RETURNING topic`);
