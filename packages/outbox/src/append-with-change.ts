import type { Database } from '@waybill/postgres/database';
import { type PreparedStatement, prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { appendMessages } from './append-messages.ts';
import { type AppendedMessage, type OutboxMessage, appendMessagesSql } from './message-rows.ts';

/** A change and its parameters. */
export interface Change {
  /** From `prepareChange`. */
  statement: PreparedStatement;
  bindings: Readonly<Record<string, string | number | readonly string[]>>;
}

/**
 * Makes a change and appends its messages, both or neither, in one round trip. Messages of one call keep their order.
 */
export async function appendWithChange(
  db: Database,
  { statement, bindings }: Change,
  messages: readonly OutboxMessage[],
): Promise<void> {
  await appendMessages(db, messages, async (given) => ({
    result: undefined,
    appended: await runPrepared<AppendedMessage>(db, statement, { ...bindings, ...given }),
  }));
}

/**
 * A change of rows for `appendWithChange`: one `UPDATE`, `INSERT` or `DELETE` without a parameter named `messages`.
 * @param options.onlyIfMade appends nothing if no row was changed; by default the messages are appended anyway
 */
export function prepareChange(name: string, sql: string, { onlyIfMade = false } = {}): PreparedStatement {
  const condition = onlyIfMade ? ' WHERE EXISTS (SELECT FROM change)' : '';
  return prepareStatement(
    name,
    `WITH change AS (${sql} RETURNING true) ${appendMessagesSql}${condition} RETURNING topic`,
  );
}
