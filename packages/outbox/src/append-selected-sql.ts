import type { Queryable } from '@waybill/postgres/database';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import { announceAfterCommit } from './committed-topics.ts';
import { runOf } from './numbering/run-of.ts';
import { settle } from './numbering/settle.ts';

/**
 * Appends an audit event for each row of a query that returns `payload`, in its order: as part of a statement that makes
 * the change, for events too many to pass through the process. It takes the bindings of `appendSelected`; the ids of the
 * events differ from `firstId` after their time, and sort in order. Do not pass user input: it is SQL.
 */
export function appendSelectedSql(payloadsSql: string): string {
  return `
    INSERT INTO outbox.events (id, topic, payload)
    SELECT CAST(left(:firstId, 24) || lpad(to_hex(place), 8, '0') || right(:firstId, 4) AS uuid), 'audit-event',
      CASE WHEN place > CAST(:numbers AS bigint) THEN payload ELSE payload || jsonb_build_object('producer',
        CAST(:producer AS jsonb) || jsonb_build_object('number', CAST(:firstNumber AS bigint) + place - 1)) END
    FROM (SELECT payload, row_number() OVER () AS place FROM (${payloadsSql}) AS message) AS placed`;
}

/** The bindings of `appendSelectedSql`. */
export interface SelectedBindings {
  /** A UUID of version 7. */
  readonly firstId: string;
  readonly producer: string;
  readonly firstNumber: number;
  readonly numbers: number;
}

/**
 * Runs a statement that contains `appendSelectedSql` and appends `atMost` events; further ones would have no numbers. It
 * returns how many events it appended.
 */
export async function appendSelected<R>(
  on: Queryable,
  { atMost, nodeId }: { readonly atMost: number; readonly nodeId: string },
  run: (bindings: SelectedBindings) => Promise<{ readonly result: R; readonly appended: number }>,
): Promise<R> {
  const numbers = runOf(on, nodeId).take(atMost);
  try {
    const { result, appended } = await run({
      firstId: uuidV7(),
      producer: JSON.stringify(numbers.producer),
      firstNumber: numbers.first,
      numbers: atMost,
    });
    settle(on, numbers, Math.min(appended, atMost));
    if (appended > 0) announceAfterCommit(on, [{ topic: 'audit-event' }]);
    return result;
  } catch (error) {
    numbers.voided();
    throw error;
  }
}
