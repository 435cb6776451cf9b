import type { Database } from '@waybill/postgres/database';
import { appendMessagesSql, messageBindings, type OutboxMessage } from './message-rows.ts';

/** A statement that changes rows. */
export interface Change {
  /** One `UPDATE`, `INSERT` or `DELETE`. */
  sql: string;
  /** By name; none begins with `message`. */
  bindings: Readonly<Record<string, string | number>>;
  /** Of the statement with its messages: it is prepared once per connection. */
  name: string;
}

/** Makes a change and says so, both or neither, in one round trip. Messages of one call keep their order. */
export async function appendWithChange(
  db: Database,
  change: Change,
  messages: readonly OutboxMessage[],
): Promise<void> {
  const { sql, bindings, name } = change;
  await db
    .raw(`WITH change AS (${sql}) ${appendMessagesSql}`, { ...bindings, ...messageBindings(messages) })
    .options({ name });
}
