import {
  auditFilterParameter,
  listAuditRecordsEndpoint,
} from '@waybill/contracts/endpoints/audit-logs/list-audit-records';
import type { AuditRecord } from '@waybill/contracts/values/audit-record';
import { findFaultyFilters } from '../../address/faulty-filters.tsx';
import type { Filters } from '../../address/use-filters.ts';
import { callForResponse } from '../../api/call-for-response.ts';
import type { CursorPage } from '../../lists/use-cursor-rows.ts';

/** The filters of the audit log, by their names in the interface and in the address of the page. */
export const auditFilterNames = [
  'dataoneUser',
  'auditOperation',
  'auditCode',
  'entityName',
  'entityType',
  'entityId',
  'dfiid',
  'address',
  'virtualFileSystem',
  'fileHash',
  'fileName',
  'filePath',
  'auditMessage',
  'nodeId',
  'clusterId',
  'fromAuditTime',
  'toAuditTime',
] as const;

/** The name of a filter. */
export type AuditFilterName = (typeof auditFilterNames)[number];

/** The filters that are set. */
export type AuditFilters = Filters<AuditFilterName>;

/** Records of one page. */
export const auditPageSize = 200;

/**
 * Filters as the interface takes them. A text that ends in `*` is the beginning of the values that are searched for. A hash may have the
 * name of its algorithm before it, as other programs write it: `sha256:`.
 */
export function expressionOf(filters: Readonly<Record<string, string | undefined>>): string | undefined {
  const conditions = Object.entries(filters).flatMap(([name, value]) => {
    if (value === undefined) return [];
    const given = name === 'fileHash' ? value.replace(/^\s*sha-?256\s*[:=]/iu, '') : value;
    const isBeginning = given.endsWith('*') && !name.endsWith('Time');
    const text = (isBeginning ? given.slice(0, -1) : given).replaceAll(/["\\]/gu, String.raw`\$&`);
    return [`${name}${isBeginning ? '^' : ''}="${text}"`];
  });
  return conditions.length === 0 ? undefined : `{${conditions.join(',')}}`;
}

/** Those of the filters that the interface does not take. */
export function findFaultyAuditFilters(filters: AuditFilters): readonly string[] {
  return findFaultyFilters(auditFilterParameter, filters, expressionOf(filters));
}

/** Reads a page of records. */
export async function listAuditRecords(
  filters: Readonly<Record<string, string | undefined>>,
  {
    cursor,
    limit = auditPageSize,
    sort = '-auditTime',
    signal,
  }: {
    readonly cursor?: string | undefined;
    readonly limit?: number;
    readonly sort?: string;
    readonly signal: AbortSignal;
  },
): Promise<CursorPage<AuditRecord>> {
  const query = { page: '0', limit: String(limit), sort, q: expressionOf(filters), cursor };
  const { body, headers } = await callForResponse(listAuditRecordsEndpoint, { query, signal });
  return { rows: body, next: headers.get('x-next-cursor') ?? undefined };
}
