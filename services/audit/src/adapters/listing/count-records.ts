import type { AuditCount, AuditCountQuery } from '@waybill/contracts/endpoints/audit-logs/count-audit-records';
import type { Database } from '@waybill/postgres/database';
import { findConditions, noFilter, select, whereSql } from './found-conditions.ts';
import { recordColumns } from './record-columns.ts';

/** The most counts of a response. */
const countsAtMost = 10_000;

/** Counts records by unit of time, and by the values of a field. */
export async function countRecords(db: Database, { q = noFilter, by, unit }: AuditCountQuery): Promise<AuditCount[]> {
  const found = await findConditions(db, q);
  if (!found) return [];
  const where = whereSql(found);
  const value = by === undefined ? 'CAST(NULL AS text)' : recordColumns[by];
  const rows = await select<{ time: Date; value: string | null; count: string }>(db, {
    text: `
      SELECT date_trunc('${unit}', audit_time, 'UTC') AS time, ${value} AS value, count(*) AS count
      FROM audit.records WHERE ${where.text} GROUP BY 1, 2 ORDER BY 1 DESC, 2 DESC LIMIT ${countsAtMost}`,
    bindings: where.bindings,
  });
  return rows.toReversed().map((row) => ({ ...row, time: row.time.toISOString(), count: Number(row.count) }));
}
