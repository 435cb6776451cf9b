import type { AuditExactField } from '@waybill/contracts/endpoints/audit-logs/audit-fields';
import type { AuditFilter, AuditPrefixField } from '@waybill/contracts/endpoints/audit-logs/audit-filter';
import { recordColumns } from './record-columns.ts';
import { renamedColumns } from './renamed-sql.ts';

/** A piece of SQL with `?` for each of its bindings. */
export interface Sql {
  readonly text: string;
  readonly bindings: readonly (string | string[] | Date)[];
  /** The two ways in which a record can fulfil it, and none fulfils both: each has an index of its own. */
  readonly ways?: readonly [Way, Way];
}

/** A way in which a condition is fulfilled. */
export interface Way {
  readonly condition: Sql;
  /** The same as a value of the index, if the condition is one. */
  readonly only: OnlyValue | undefined;
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
  ['filePath', 100],
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

/** A value of an indexed expression. */
export interface OnlyValue {
  readonly expression: string;
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
  return onlyValueOf(placeOf(field), value);
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

/** Where the values of a field are: in a column or, of renames, in what they have besides. */
interface Place {
  readonly column: string;
  readonly indexed: string;
  readonly characters: number | undefined;
  /** That a record is in the index. PostgreSQL does not conclude it from the value. */
  readonly present: readonly Sql[];
}

const mayBeAbsent: ReadonlySet<AuditExactField> = new Set(['address', 'virtualFileSystem', 'fileHash', 'fileName']);

function placeOf(field: AuditExactField): Place {
  const indexed = indexedSql(field);
  return {
    column: recordColumns[field],
    indexed,
    characters: indexedCharacters.get(field),
    present: mayBeAbsent.has(field) ? [{ text: `${indexed} IS NOT NULL`, bindings: [] }] : [],
  };
}

function onlyValueOf(place: Place, value: string): OnlyValue {
  const residual = [...place.present, ...residualOf(place, value, '=')];
  return { expression: place.indexed, key: beginning(place, value), residual };
}

function textConditions(field: AuditPrefixField, { exact, prefixes }: AuditFilter): Sql[] {
  const [value, prefix] = [exact[field], prefixes[field]];
  return [
    ...(value === undefined ? [] : conditionsOn(field, value, '=')),
    ...(prefix === undefined ? [] : conditionsOn(field, prefix, '^@')),
  ];
}

function conditionsOn(field: AuditPrefixField, value: string, operator: '=' | '^@'): Sql[] {
  const place = placeOf(field);
  const plain = [...comparison(place, value, operator), ...dfiidIsGiven(field, value)];
  return field === 'fileName' || field === 'filePath' ? [eitherName(field, { plain, value, operator })] : plain;
}

/** By the name in the column, or else by the one after a rename. */
function eitherName(
  field: keyof typeof renamedColumns,
  { plain, value, operator }: { readonly plain: readonly Sql[]; readonly value: string; readonly operator: '=' | '^@' },
): Sql {
  const before = allOf(plain);
  const { sql, records } = renamedColumns[field];
  const characters = indexedCharacters.get(field);
  const isRename = { text: records, bindings: [] };
  const isOther = { text: `CASE WHEN ${before.text} THEN false ELSE true END`, bindings: before.bindings };
  const place = { column: sql, indexed: `left(${sql}, ${characters})`, characters, present: [isRename, isOther] };
  const after = allOf([...place.present, ...comparison(place, value, operator)]);
  const onlyAt = (one: Place) => (operator === '=' ? onlyValueOf(one, value) : undefined);
  return {
    text: `${before.text} OR (${after.text})`,
    bindings: [...before.bindings, ...after.bindings],
    ways: [
      { condition: before, only: onlyAt(placeOf(field)) },
      { condition: after, only: onlyAt(place) },
    ],
  };
}

function comparison(place: Place, value: string, operator: '=' | '^@'): Sql[] {
  return [
    { text: `${place.indexed} ${operator} ?`, bindings: [beginning(place, value)] },
    ...residualOf(place, value, operator),
  ];
}

/** No record has an empty dataflow instance, but the index has one for records without. */
function dfiidIsGiven(field: AuditPrefixField, value: string): Sql[] {
  return field === 'dfiid' && value === '' ? [{ text: `${recordColumns.dfiid} IS NOT NULL`, bindings: [] }] : [];
}

/**
 * What the index does not decide. A shorter text is all of the value: a second condition would only make PostgreSQL expect
 * too few records, and read all of them to fill a page. In a CASE, it assumes that half of them match.
 */
function residualOf({ column, characters }: Place, value: string, operator: '=' | '^@'): Sql[] {
  if (characters === undefined || Array.from(value).length < characters) return [];
  return [{ text: `CASE WHEN ${column} ${operator} ? THEN true ELSE false END`, bindings: [value] }];
}

/** What the index has of a text. */
function beginning({ characters }: Place, text: string): string {
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
