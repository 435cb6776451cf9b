import { listActivityEndpoint } from '@waybill/contracts/endpoints/audit-logs/activity-endpoints';
import type { AuditRecord } from '@waybill/contracts/values/audit-record';
import { callForResponse } from '../api/call-for-response.ts';
import { usePermissions } from '../api/permissions.ts';
import { parseObject } from '../audit/proof/canonical-json.ts';
import { type ProvableRecords, readRecords } from '../audit/record/read-record.ts';
import { expressionOf, listAuditRecords } from '../audit/search/audit-filters.ts';

type RecordFilters = Readonly<Record<string, string | undefined>>;

/** Some records, and where the others begin. */
export interface RecordPage {
  readonly rows: readonly AuditRecord[];
  readonly next: string | undefined;
}

/** Where the records of files come from. */
export interface RecordSource {
  readonly name: 'log' | 'activity';
  /** The first records that match, and where the others begin. The newest come first, unless told otherwise. @throws RequestFailure */
  list(
    filters: RecordFilters,
    page: {
      readonly limit: number;
      readonly sort?: string;
      readonly cursor?: string | undefined;
      readonly signal: AbortSignal;
    },
  ): Promise<RecordPage>;
  /** All records that match, with their circumstances, the oldest first. @throws RequestFailure */
  read(filters: RecordFilters, signal: AbortSignal): Promise<ProvableRecords>;
}

/** The whole audit log. Its records can be proven. */
const auditLog: RecordSource = { name: 'log', list: listAuditRecords, read: readRecords };

/** The activity that the user may see. The proofs are for those who may read the audit log. */
const activity: RecordSource = {
  name: 'activity',
  list: (filters, page) => listActivity(filters, { sort: '-auditTime', ...page }),
  async read(filters, signal) {
    const records = [];
    for (let cursor: string | undefined, isMore = true; isMore; isMore = cursor !== undefined) {
      const page = await listActivity(filters, { sort: '+auditTime', limit: pageSize, cursor, signal });
      records.push(...page.rows.map((row) => parseObject(JSON.stringify(row))));
      cursor = page.next;
    }
    return { records, keys: [] };
  },
};

/** The most that the interface has on a page. */
const pageSize = 1_000;

/** What the user may read; undefined until that is known. */
export function useRecordSource(): RecordSource | undefined {
  const { may, mayForAll } = usePermissions();
  if (mayForAll('audit:read')) return auditLog;
  return may('activity:read') ? activity : undefined;
}

async function listActivity(
  filters: RecordFilters,
  options: {
    readonly sort: string;
    readonly limit: number;
    readonly cursor?: string | undefined;
    readonly signal: AbortSignal;
  },
) {
  const { sort, limit, signal, cursor } = options;
  const query = { page: '0', limit: String(limit), sort, q: expressionOf(filters), cursor };
  const { body, headers } = await callForResponse(listActivityEndpoint, { query, signal });
  return { rows: body, next: headers.get('x-next-cursor') ?? undefined };
}
