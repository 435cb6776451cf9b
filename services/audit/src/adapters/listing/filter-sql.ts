import type { AuditExactField } from '@waybill/contracts/endpoints/audit-logs/audit-fields';
import type { AuditFilter, AuditPrefixField } from '@waybill/contracts/endpoints/audit-logs/audit-filter';
import { recordColumns } from './record-columns.ts';

/** A piece of SQL with `?` for each of its bindings. */
export interface Sql {
  readonly text: string;
  readonly bindings: readonly (string | string[] | Date)[];
}

/** The fields of `audit.kinds`: they have few combinations of values, which share one index. */
export const kindFields = ['clusterId', 'module', 'auditCode', 'auditOperation', 'entityType'] as const;

/** A field of `audit.kinds`. */
export type KindField = (typeof kindFields)[number];

/** The expression of the index `records_kind`. */
export const kindSql = 'audit.kind_of(cluster_id, module, audit_code, audit_operation, entity_type)';

/**
 * How many first characters of a field are indexed: a longer text would not fit in an index entry, and a part of a hash that
 * no two files share makes the index smaller.
 */
const indexedCharacters: ReadonlyMap<AuditExactField, number> = new Map([
  ['dataoneUser', 100],
  ['entityName', 100],
  ['entityId', 100],
  ['auditMessage', 100],
  ['fileHash', 16],
  ['fileName', 100],
]);
const uuidPattern = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/u;

/** The indexed expression of a field that is a text. */
export function indexedSql(field: AuditExactField): string {
  const column = recordColumns[field];
  const characters = indexedCharacters.get(field);
  if (characters !== undefined) return `left(${column}, ${characters})`;
  return field === 'dfiid' ? "coalesce(dfiid, '')" : column;
}

/** What a filter says about the kind of a record; empty if nothing. */
export function kindConditions(filter: AuditFilter): Sql[] {
  return kindFields.flatMap((field) => textConditions(field, filter));
}

/** What a filter says about all other fields; `undefined` if no record can match. */
export function otherConditions(filter: AuditFilter): Sql[] | undefined {
  const { id, correlationId } = filter.exact;
  // Matching is exact: a text that is not a UUID in canonical form matches no id.
  if ([id, correlationId].some((value) => value !== undefined && !uuidPattern.test(value))) return undefined;
  const fields = (Object.keys(recordColumns) as (keyof typeof recordColumns)[]).filter(
    (field): field is Exclude<AuditExactField, KindField | 'id' | 'correlationId'> =>
      field !== 'auditTime' && field !== 'id' && field !== 'correlationId' && !isKindField(field),
  );
  return [
    ...(id === undefined ? [] : [{ text: 'id = CAST(? AS uuid)', bindings: [id] }]),
    ...(correlationId === undefined ? [] : [followerOf(correlationId)]),
    ...fields.flatMap((field) => textConditions(field, filter)),
  ];
}

/** A value of an indexed field. */
export interface OnlyValue {
  readonly field: Exclude<AuditExactField, KindField | 'id' | 'correlationId'>;
  /** What is in the index. */
  readonly key: string;
  /** What the index does not decide. */
  readonly residual: readonly Sql[];
}

/** The value, if a filter has no other condition besides the time. */
export function onlyValue({ exact, prefixes }: AuditFilter): OnlyValue | undefined {
  const [field, ...more] = Object.keys(exact) as AuditExactField[];
  const isPlain = field !== undefined && field !== 'id' && field !== 'correlationId' && !isKindField(field);
  if (!isPlain || more.length > 0 || Object.keys(prefixes).length > 0) return undefined;
  const value = exact[field] ?? '';
  // No record has an empty value of these, but the index of `dfiid` has one for records without.
  if (field === 'dfiid' && value === '') return undefined;
  return { field, key: beginning(field, value), residual: residualOf(field, value, '=') };
}

/** What a filter says about the time. */
export function timeConditions({ times }: AuditFilter): Sql[] {
  const { auditTime, fromAuditTime, toAuditTime } = times;
  return [
    ...(auditTime ? [{ text: 'audit_time = ?', bindings: [auditTime] }] : []),
    ...(fromAuditTime ? [{ text: 'audit_time >= ?', bindings: [fromAuditTime] }] : []),
    ...(toAuditTime ? [{ text: 'audit_time <= ?', bindings: [toAuditTime] }] : []),
  ];
}

/** The earliest and the latest time that conditions on the time allow. */
export function timeBoundsOf(times: readonly Sql[]): readonly [lowest: Date | undefined, highest: Date | undefined] {
  const boundsBy = (sign: string): Date[] =>
    times
      .filter(({ text }) => [sign, '='].includes(text.split(' ')[1] ?? ''))
      .flatMap(({ bindings: [time] }) => (time instanceof Date ? [time] : []))
      .toSorted((one, other) => one.getTime() - other.getTime());
  return [boundsBy('>=').at(-1), boundsBy('<=')[0]];
}

/** True for a field of `audit.kinds`. */
export function isKindField(field: string): field is KindField {
  return (kindFields as readonly string[]).includes(field);
}

/** Joins conditions. */
export function allOf(conditions: readonly Sql[]): Sql {
  if (conditions.length === 0) return { text: 'true', bindings: [] };
  return {
    text: conditions.map(({ text }) => `(${text})`).join(' AND '),
    bindings: conditions.flatMap(({ bindings }) => bindings),
  };
}

function textConditions(field: AuditPrefixField, { exact, prefixes }: AuditFilter): Sql[] {
  const indexed = indexedSql(field);
  const [value, prefix] = [exact[field], prefixes[field]];
  return [
    ...(value === undefined
      ? []
      : [{ text: `${indexed} = ?`, bindings: [beginning(field, value)] }, ...residualOf(field, value, '=')]),
    ...(prefix === undefined
      ? []
      : [{ text: `${indexed} ^@ ?`, bindings: [beginning(field, prefix)] }, ...residualOf(field, prefix, '^@')]),
  ];
}

/**
 * What the index does not decide. A shorter text is all of the value: a second condition would only make PostgreSQL expect
 * too few records, and read all of them to fill a page. In a CASE, it assumes that half of them match.
 */
function residualOf(field: AuditExactField, value: string, operator: '=' | '^@'): Sql[] {
  const column = recordColumns[field];
  if (field === 'dfiid') return value === '' ? [{ text: `${column} IS NOT NULL`, bindings: [] }] : [];
  const characters = indexedCharacters.get(field);
  if (characters === undefined || Array.from(value).length < characters) return [];
  return [{ text: `CASE WHEN ${column} ${operator} ? THEN true ELSE false END`, bindings: [value] }];
}

/** What the index has of a text. */
function beginning(field: AuditExactField, text: string): string {
  const characters = indexedCharacters.get(field);
  if (characters === undefined || text.length <= characters) return text;
  return Array.from(text).slice(0, characters).join('');
}

/** The record after the one with this id; the first stored one may follow one that is not stored. */
function followerOf(id: string): Sql {
  return {
    text: `correlation_id = CAST(? AS uuid) AND sequence = ANY (ARRAY(
      SELECT sequence + 1 FROM audit.records WHERE id = CAST(? AS uuid)
      UNION ALL SELECT min(sequence) FROM audit.records))`,
    bindings: [id, id],
  };
}
