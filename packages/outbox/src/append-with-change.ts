import type { Database } from '@waybill/postgres/database';
import type { PreparedStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { announceAfterCommit } from './committed-topics.ts';
import { messageBindings, type AppendedMessage, type OutboxMessage } from './message-rows.ts';

/** A change and what it is made with. */
export interface Change {
  /** Made by `prepareChange`. */
  statement: PreparedStatement;
  bindings: Readonly<Record<string, string | number | readonly string[]>>;
}

/** Makes a change and says so, both or neither, in one round trip. Messages of one call keep their order. */
export async function appendWithChange(
  db: Database,
  { statement, bindings }: Change,
  messages: readonly OutboxMessage[],
): Promise<void> {
  announceAfterCommit(
    db,
    await runPrepared<AppendedMessage>(db, statement, { ...bindings, ...messageBindings(messages) }),
  );
}
