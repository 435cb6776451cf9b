import { sha256 } from '../tree/tree-hash.ts';
import { type FieldHashes, type LogRecord, redactedValue } from './log-record.ts';

/** The fields of the interface that can contain personal data. Every member of `context` is a personal field as well. */
export const personalFields = ['auditMessage', 'dataoneUser', 'entityId', 'entityName'] as const;

/** A field of the interface that can contain personal data. */
export type PersonalField = (typeof personalFields)[number];

/**
 * One commitment for each personal field of a record, in the order of canonical JSON: the SHA-256 of the canonical JSON
 * of its name, its salt and its value. The commitment reveals nothing, and remains when the value is erased.
 */
export function commitmentsOf(record: LogRecord): FieldHashes {
  const { context, salt, salts, commitments: erased } = record;
  const commitments: Record<string, string> = {};
  for (const name of fieldNames(record)) {
    const value = isPersonal(name) ? record[name] : context[name];
    if (isAmbiguous(record, name)) commitments[name] = '';
    else if (erased?.[name] !== undefined) commitments[name] = erased[name];
    else if (value !== undefined)
      commitments[name] = commitTo(name, salts === null ? deriveSalt(salt ?? '', name) : (salts[name] ?? ''), value);
  }
  return commitments;
}

/**
 * The salt of one field: the first half of a SHA-256. The others do not reveal it after the salt of the record was
 * destroyed. One hash is enough: the salt of the record has a fixed length, and half of the hash cannot be extended.
 */
export function deriveSalt(salt: string, name: string): string {
  return sha256(salt + name).slice(0, 32);
}

function commitTo(name: string, salt: string, value: string | number): string {
  return sha256(`{"name":"${name}","salt":"${salt}","value":${JSON.stringify(value)}}`);
}

/** The personal fields of a record, erased ones as well, in the order of their UTF-16 code units. */
function fieldNames({ context, commitments }: LogRecord): readonly string[] {
  const others = Object.keys(context);
  if (commitments !== null) others.push(...Object.keys(commitments));
  return others.length === 0 ? personalFields : [...new Set([...personalFields, ...others])].toSorted();
}

/** A value beside its commitment, or beside one of the same name: one of them would not be verified. */
function isAmbiguous(record: LogRecord, name: string): boolean {
  const isErased = record.commitments?.[name] !== undefined;
  if (isPersonal(name) && isErased && record[name] !== redactedValue) return true;
  return (isErased || isPersonal(name)) && record.context[name] !== undefined;
}

function isPersonal(name: string): name is PersonalField {
  return name === 'auditMessage' || name === 'dataoneUser' || name === 'entityId' || name === 'entityName';
}
