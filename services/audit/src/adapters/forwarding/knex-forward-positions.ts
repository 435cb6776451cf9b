import { randomUUID } from 'node:crypto';
import type { Database } from '@waybill/postgres/database';
import type { ForwardPositions, ForwardState } from '../../domain/forwarding/destination.ts';

/** How long a process holds a destination in seconds, and how much of that is left at least after `hold`. */
export interface HoldTimes {
  readonly heldSeconds: number;
  readonly leftSeconds: number;
}

interface StateRow {
  readonly position: string;
  readonly size: string | null;
  readonly first: string | null;
  readonly oldestMs: string | null;
}

/**
 * Positions in PostgreSQL, whose clock decides how long a destination is held: a process that is killed stops others from
 * forwarding for that time at most.
 */
export function createKnexForwardPositions(db: Database, { heldSeconds, leftSeconds }: HoldTimes): ForwardPositions {
  const holder = randomUUID();
  return {
    hold: async ({ name, from }) => {
      const values = { name, holder, heldSeconds, leftSeconds };
      const { rowCount } = await db.raw<{ rowCount: number }>(takeSql, values);
      const read = async () => (await db.raw<{ rows: StateRow[] }>(stateSql, values)).rows[0];
      const row = await read();
      if (row || rowCount > 0) return row && stateOf(row);
      await db.raw(`${insertSql[from]} ON CONFLICT DO NOTHING`, { name });
      await db.raw(takeSql, values);
      const inserted = await read();
      return inserted && stateOf(inserted);
    },
    move: async (name, { from, to }) => {
      await db.raw(
        `UPDATE audit.forward_positions SET position = :to WHERE destination = :name AND holder = :holder AND position = :from`,
        { name, holder, from, to },
      );
    },
    release: async (name) => {
      await db.raw(
        `UPDATE audit.forward_positions SET holder = NULL, held_until = '-infinity' WHERE destination = :name AND holder = :holder`,
        { name, holder },
      );
    },
  };
}

/** Writes only if another process does not hold it any more, or if little is left of the time. */
const takeSql = `
  UPDATE audit.forward_positions SET holder = :holder, held_until = clock_timestamp() + :heldSeconds * interval '1 second'
  WHERE destination = :name AND held_until < clock_timestamp() +
    CASE WHEN holder = :holder THEN :leftSeconds * interval '1 second' ELSE interval '0' END`;

const stateSql = `
  SELECT position, head.size, (SELECT min(sequence) FROM audit.records) AS first,
    (SELECT extract(epoch FROM coalesce(recorded_at, audit_time)) * 1000 FROM audit.records WHERE sequence = position + 1)
      AS "oldestMs"
  FROM audit.forward_positions LEFT JOIN audit.tree_head AS head ON true
  WHERE destination = :name AND holder = :holder AND held_until > clock_timestamp()`;

const insertSql = {
  now: 'INSERT INTO audit.forward_positions (destination, position) SELECT :name, coalesce(max(size), 0) FROM audit.tree_head',
  start: 'INSERT INTO audit.forward_positions (destination, position) VALUES (:name, 0)',
} as const;

function stateOf({ position, size, first, oldestMs }: StateRow): ForwardState {
  return {
    position: Number(position),
    size: Number(size ?? 0),
    first: Number(first ?? 1),
    oldestMs: oldestMs === null ? undefined : Number(oldestMs),
  };
}
