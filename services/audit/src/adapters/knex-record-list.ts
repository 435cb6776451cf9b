import type { AuditExactField } from '@waybill/contracts/endpoints/audit-logs/audit-filter';
import type { AuditRecord } from '@waybill/contracts/values/audit-record';
import type { Database } from '@waybill/postgres/database';
import type { RecordList } from '../domain/log/record-log.ts';
import { recordColumns, utcText } from './record-columns.ts';

const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

/** Lists records from PostgreSQL. Ties, and all records without a requested order, are sorted by sequence numbers. */
export function createKnexRecordList(db: Database): RecordList {
  return {
    list: async (query) => {
      const { exact = {}, times = {} } = query.q ?? {};
      if (!canMatch(exact)) return [];
      const select = db
        .withSchema('audit')
        .from('records')
        .select({ ...recordColumns, auditTime: db.raw(utcText('audit_time')) })
        .where(columnsOf(exact))
        .offset(query.page * query.limit + query.offset)
        .limit(query.limit);
      // Only the beginning of a user's name is in the index.
      if (exact.dataoneUser !== undefined) {
        void select.whereRaw('left(dataone_user, 200) = left(?, 200)', [exact.dataoneUser]);
      }
      if (times.auditTime) void select.where('audit_time', times.auditTime);
      if (times.fromAuditTime) void select.where('audit_time', '>=', times.fromAuditTime);
      if (times.toAuditTime) void select.where('audit_time', '<=', times.toAuditTime);
      for (const { field, direction } of query.sort ?? []) void select.orderBy(recordColumns[field], direction);
      void select.orderBy('sequence', query.sort?.at(-1)?.direction ?? 'asc');
      const rows: Omit<AuditRecord, 'fromAuditTime' | 'toAuditTime'>[] = await select;
      return rows.map(({ dfiid, ...row }) => ({ ...row, fromAuditTime: null, toAuditTime: null, dfiid }));
    },
  };
}

/** Matching is exact: a text that is not a UUID in canonical form matches no id. */
function canMatch({ id, correlationId }: Partial<Record<AuditExactField, string>>): boolean {
  return [id, correlationId].every((value) => value === undefined || uuidPattern.test(value));
}

function columnsOf(exact: Partial<Record<AuditExactField, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(exact).map(([field, value]) => [recordColumns[field as AuditExactField], value]),
  );
}
