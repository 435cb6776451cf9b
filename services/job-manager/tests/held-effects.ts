import { waitFor } from '@waybill/test-kit/wait-for';
import pg from 'pg';
import type { TestPlatform } from './start-test-platform.ts';

/** Holds up everything that steps change: each statement waits that notes an effect, with its change not yet committed. */
export interface HeldEffects {
  /** Waits until so many statements wait. */
  untilWaiting(count: number): Promise<void>;
  /** Ends the connections of the statements that wait: what they have changed is undone. */
  undo(): Promise<void>;
  /** Lets the statements go on, also those whose process is gone. */
  letGo(): Promise<void>;
}

const waiting = `pid <> pg_backend_pid() AND datname = current_database() AND wait_event_type = 'Lock'`;

/** Locks the table of the effects. */
export async function holdEffects({ database }: Pick<TestPlatform, 'database'>): Promise<HeldEffects> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  await client.query('BEGIN');
  await client.query('LOCK TABLE jobs.effects IN SHARE MODE');
  return {
    untilWaiting: async (count) => {
      const isReached = async (): Promise<boolean> =>
        (await database.query(`SELECT FROM pg_stat_activity WHERE ${waiting}`)).length >= count;
      await waitFor(isReached, { what: `${count} effects to wait`, timeoutMs: 60_000 });
    },
    undo: async () => {
      await database.query(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${waiting}`);
      const isOver = async (): Promise<boolean> =>
        (await database.query(`SELECT FROM pg_stat_activity WHERE ${waiting}`)).length === 0;
      await waitFor(isOver, { what: 'the statements to end' });
    },
    letGo: async () => {
      await client.query('ROLLBACK');
      await client.end();
    },
  };
}
