import type { AuditFilter } from '@waybill/contracts/endpoints/audit-logs/audit-filter';
import type { AuditSortKey } from '@waybill/contracts/endpoints/audit-logs/audit-sort';
import type { AuditListQuery } from '@waybill/contracts/endpoints/audit-logs/list-audit-records';
import type { AuditRecord } from '@waybill/contracts/values/audit-record';
import type { Database } from '@waybill/postgres/database';
import type { RecordList, RecordScope } from '../../domain/log/record-log.ts';
import { countRecords } from './count-records.ts';
import { allOf, type Sql } from './filter-sql.ts';
import { findConditions, type FoundConditions, noFilter, select, whereSql } from './found-conditions.ts';
import { findFiles } from './found-files.ts';
import { afterSql, type OrderKey, orderKeys, readCursor, writeCursor } from './order-sql.ts';
import { indexFormOf, isOrderOfTime, mergedPageSql } from './page-sql.ts';
import { readContexts } from './read-contexts.ts';

type PageRow = Omit<AuditRecord, 'fromAuditTime' | 'toAuditTime'> & { readonly cursorKeys: string[] };

/**
 * Lists records from PostgreSQL. The order is always a total one, and what it begins with is in an index. In a range of time
 * with at most `sortedAtMost` records, they are read and sorted instead: some 20 ms for as many.
 */
export function createKnexRecordList(db: Database, { sortedAtMost = 20_000 } = {}): RecordList {
  return {
    list: async ({ q = noFilter, sort = [], page, offset, limit, cursor, files }, scope) => {
      const [found, ...others] = await findParts(db, { q, files }, scope);
      const keys = orderKeys(sort, found !== undefined && isFiltered(found));
      const afterValues = cursor === undefined || !found ? undefined : readCursor(keys, cursor);
      const after = afterValues && afterSql(keys, afterValues);
      if (!found) return { records: [], nextCursor: undefined };
      const range = { limit, offset: after ? 0 : page * limit + offset };
      const pageOf = async (part: FoundConditions) => {
        const isShort = needsSort(part, sort) && (await hasAtMost(db, part.times, sortedAtMost));
        return { ...part, keys, after, afterValues, sort, range, isShort };
      };
      const rows = await select<PageRow>(
        db,
        mergedPageSql(await pageOf(found), await Promise.all(others.map((part) => pageOf(part)))),
      );
      return { records: rows.map(toRecord), nextCursor: nextCursorOf(keys, rows, limit) };
    },
    count: async ({ q = noFilter, files }, scope) => {
      let count = 0;
      for (const found of await findParts(db, { q, files }, scope)) {
        const where = whereSql(found);
        const [row] = await select<{ count: string }>(db, {
          ...where,
          text: `SELECT count(*) FROM audit.records WHERE ${where.text}`,
        });
        count += Number(row?.count);
      }
      return count;
    },
    contextsOf: (ids) => readContexts(db, ids),
    countOverTime: (query, scope) => countRecords(db, query, scope),
  };
}

/** The conditions of a query, which exclude each other; none if no record can match. */
async function findParts(
  db: Database,
  { q, files }: { readonly q: AuditFilter; readonly files: AuditListQuery['files'] },
  scope: RecordScope | undefined,
): Promise<readonly FoundConditions[]> {
  if (files === 'true') return findFiles(db, q, scope);
  const found = await findConditions(db, q, { scope });
  return found ? [found] : [];
}

/** True if the records of a range of time do not follow each other in the index that has the order. */
function needsSort(found: FoundConditions, sort: readonly AuditSortKey[]): boolean {
  return found.times.length > 0 && !isOrderOfTime(sort) && indexFormOf({ ...found, sort }) === undefined;
}

/** Counts in the index of times: without the order PostgreSQL may read the table from its beginning. */
async function hasAtMost(db: Database, times: readonly Sql[], most: number): Promise<boolean> {
  const where = allOf(times);
  const [row] = await select<{ count: string }>(db, {
    ...where,
    text: `SELECT count(*) FROM (SELECT FROM audit.records WHERE ${where.text} ORDER BY audit_time LIMIT ${most + 1}) AS within`,
  });
  return Number(row?.count) <= most;
}

function isFiltered({ kinds, times, others }: FoundConditions): boolean {
  return kinds !== undefined || times.length > 0 || others.length > 0;
}

function nextCursorOf(keys: readonly OrderKey[], rows: readonly PageRow[], limit: number): string | undefined {
  const last = rows.at(-1);
  return last && rows.length === limit ? writeCursor(keys, last.cursorKeys) : undefined;
}

function toRecord({ dfiid, cursorKeys: _cursorKeys, ...row }: PageRow): AuditRecord {
  return { ...row, fromAuditTime: null, toAuditTime: null, dfiid };
}
