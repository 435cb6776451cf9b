import type { AuditExactField } from '@waybill/contracts/endpoints/audit-logs/audit-fields';
import type { AuditFilter } from '@waybill/contracts/endpoints/audit-logs/audit-filter';

/**
 * Fields whose values may be personal: a record of a reading has their names only, because records of the audit log about
 * itself cannot be redacted.
 */
const personalFields: ReadonlySet<string> = new Set<AuditExactField>([
  'dataoneUser',
  'entityName',
  'entityId',
  'auditMessage',
  'address',
  'virtualFileSystem',
  'fileHash',
  'fileName',
  'filePath',
]);

const longestText = 400;

/** What was read, as it is recorded: the endpoint and the filter without personal values, of at most 400 characters. */
export function describeRead(what: string, filter?: AuditFilter): string {
  const conditions = filter === undefined ? [] : conditionsOf(filter);
  const text = conditions.length === 0 ? what : `${what} {${conditions.join(',')}}`;
  return text.length > longestText ? `${text.slice(0, longestText - 3)}...` : text;
}

function conditionsOf({ exact, prefixes, times }: AuditFilter): string[] {
  const describe = (operator: string, field: string, value: string): string =>
    personalFields.has(field) ? field : `${field}${operator}${JSON.stringify(value)}`;
  return [
    ...Object.entries(exact).map(([field, value]) => describe('=', field, value)),
    ...Object.entries(prefixes).map(([field, value]) => describe('^=', field, value)),
    ...Object.entries(times).map(([field, value]) => describe('=', field, value.toISOString())),
  ];
}
