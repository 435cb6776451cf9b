import { randomBytes } from 'node:crypto';
import { applicationNameOf, settingsOf } from '@waybill/postgres/connect-postgres';
import type { Queryable } from '@waybill/postgres/database';
import { EventRun } from './event-run.ts';

const runs = new WeakMap<object, EventRun>();

/**
 * The run of the events that this process appends to a database. It begins with the first event, and another one begins
 * when it is over. `nodeId` becomes part of its name.
 */
export function runOf(on: Queryable, nodeId: string): EventRun {
  const pool = settingsOf(on);
  let run = runs.get(pool);
  if (run === undefined || run.isOver) {
    run = new EventRun(
      `${applicationNameOf(on).replace(/^waybill /u, '')}/${nodeId.slice(0, 100)}/${randomBytes(12).toString('base64url')}`,
    );
    runs.set(pool, run);
  }
  return run;
}
