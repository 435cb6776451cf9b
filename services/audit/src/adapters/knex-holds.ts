import type { AuditHold } from '@waybill/contracts/endpoints/audit-logs/audit-hold';
import type { Database, Queryable } from '@waybill/postgres/database';
import type { HoldStore } from '../domain/retention/holds.ts';
import { createKnexRecordLog } from './knex-record-log.ts';

interface HoldRow {
  readonly id: string;
  readonly first: string | null;
  readonly last: string | null;
  readonly from: Date | null;
  readonly to: Date | null;
  readonly reason: string;
  readonly placedBy: string;
  readonly placedAt: Date;
}

const columns = `id, first_sequence AS first, last_sequence AS last, from_time AS from, to_time AS to, reason,
  placed_by AS "placedBy", placed_at AS "placedAt"`;

/** Before the ids of all holds. */
const lowestId = '00000000-0000-0000-0000-000000000000';

/** Legal holds in PostgreSQL. */
export function createKnexHolds(db: Database): HoldStore {
  return {
    list: ({ limit, after = lowestId }) =>
      rows(
        db,
        `SELECT ${columns} FROM audit.holds WHERE released_at IS NULL AND id > CAST(:after AS uuid) ORDER BY id LIMIT :limit`,
        { after, limit },
      ),
    place: ({ id, first, last, from, to, reason, placedBy, placedAt }, use) =>
      db.transaction(async (trx) => {
        const bounds = { first: first ?? null, last: last ?? null, from: from ?? null, to: to ?? null };
        await trx.raw(
          `INSERT INTO audit.holds (id, first_sequence, last_sequence, from_time, to_time, reason, placed_by, placed_at)
           VALUES (:id, :first, :last, :from, :to, :reason, :placedBy, :placedAt)`,
          { id, ...bounds, reason, placedBy, placedAt },
        );
        return use(createKnexRecordLog(trx));
      }),
    release: (id, { user, reason }, use) =>
      db.transaction(async (trx) => {
        const [hold] = await rows(
          trx,
          `UPDATE audit.holds SET released_by = :user, released_at = now(), release_reason = :reason
           WHERE CAST(id AS text) = :id AND released_at IS NULL RETURNING ${columns}`,
          { id, user, reason },
        );
        return hold && { hold, outcome: await use(createKnexRecordLog(trx), hold) };
      }),
  };
}

async function rows(
  db: Queryable,
  sql: string,
  values: Readonly<Record<string, string | number>>,
): Promise<AuditHold[]> {
  const result = await db.raw<{ rows: HoldRow[] }>(sql, { ...values });
  return result.rows.map(({ first, last, from, to, placedAt, ...row }) => ({
    ...row,
    placedAt: placedAt.toISOString(),
    ...(first !== null && { first: Number(first) }),
    ...(last !== null && { last: Number(last) }),
    ...(from !== null && { from: from.toISOString() }),
    ...(to !== null && { to: to.toISOString() }),
  }));
}
