import type { AuditCount, AuditCountQuery } from '@waybill/contracts/endpoints/audit-logs/count-audit-records';
import type { Database } from '@waybill/postgres/database';
import type { RecordScope } from '../../domain/log/record-log.ts';
import { findConditions, noFilter, select, whereSql } from './found-conditions.ts';
import { recordColumns } from './record-columns.ts';

/** The most counts of a response. */
const countsAtMost = 10_000;

/** More cannot be written in JSON exactly. */
const bytesAtMost = Number.MAX_SAFE_INTEGER;

/** Counts records by unit of time, and by the values of a field, and adds up the sizes of the files. */
export async function countRecords(
  db: Database,
  { q = noFilter, by, unit, bytes }: AuditCountQuery,
  scope?: RecordScope,
): Promise<AuditCount[]> {
  const found = await findConditions(db, q, { scope });
  if (!found) return [];
  const where = whereSql(found);
  const value = by === undefined ? 'CAST(NULL AS text)' : recordColumns[by];
  const sum = bytes === 'true' ? ", coalesce(sum(CAST(context ->> 'fileSize' AS bigint)), 0) AS bytes" : '';
  const rows = await select<{ time: Date; value: string | null; count: string; bytes?: string }>(db, {
    text: `
      SELECT date_trunc('${unit}', audit_time, 'UTC') AS time, ${value} AS value, count(*) AS count${sum}
      FROM audit.records WHERE ${where.text} GROUP BY 1, 2 ORDER BY 1 DESC, 2 DESC LIMIT ${countsAtMost}`,
    bindings: where.bindings,
  });
  return rows.toReversed().map(({ time, value: one, count, bytes: summed }) => ({
    time: time.toISOString(),
    value: one,
    count: Number(count),
    ...(summed !== undefined && { bytes: Math.min(Number(summed), bytesAtMost) }),
  }));
}
