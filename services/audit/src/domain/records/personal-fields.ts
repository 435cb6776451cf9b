import type { AuditContext } from '@waybill/contracts/messages/audit-event';
import { sha256 } from '../tree/tree-hash.ts';
import { type FieldHashes, type LogRecord, redactedValue } from './log-record.ts';

/** The fields of the interface that can contain personal data. Every member of `context` is a personal field as well. */
export const personalFields = ['auditMessage', 'dataoneUser', 'entityId', 'entityName'] as const;

/** A field of the interface that can contain personal data. */
export type PersonalField = (typeof personalFields)[number];

/** The length of the salt of a field: 16 bytes in hexadecimal. */
export const saltLength = 32;

/**
 * One commitment for each personal field of a record, in the order of canonical JSON: the SHA-256 of the canonical JSON
 * of its name, its salt and its value. The commitment reveals nothing, and remains when the value is erased. The record
 * has the salts of the fields that have a value, in the order of their names.
 */
export function commitmentsOf(record: LogRecord): FieldHashes {
  const { context, commitments: erased } = record;
  const salt = record.salt ?? '';
  const canBeAmbiguous = erased !== null || personalFields.some((name) => context[name] !== undefined);
  const commitments: Record<string, string> = {};
  let place = 0;
  for (const name of erased === null ? namesIn(context) : namesWith(context, erased)) {
    const value = valueOf(record, name);
    const fieldSalt = value === undefined ? '' : salt.slice(place, (place += saltLength));
    if (canBeAmbiguous && isAmbiguous(record, name)) commitments[name] = '';
    else if (erased?.[name] !== undefined) commitments[name] = erased[name];
    else if (value !== undefined) commitments[name] = commitTo(name, fieldSalt, value);
  }
  return commitments;
}

/** The number of the personal fields of a new record with this context. */
export function countFields(context: AuditContext): number {
  let count = personalFields.length;
  for (const name in context) if (context[name] !== undefined) count += 1;
  return count;
}

/** The value of a personal field; `undefined` if it has none, or if it was erased. */
function valueOf(record: LogRecord, name: string): string | number | undefined {
  if (!isPersonal(name)) return record.context[name];
  return record.commitments?.[name] === undefined ? record[name] : undefined;
}

function commitTo(name: string, salt: string, value: string | number): string {
  return sha256(`{"name":"${name}","salt":"${salt}","value":${JSON.stringify(value)}}`);
}

/** The order of the fields for each set of members that contexts have: there are few. */
const orders = new Map<string, readonly string[]>();
const ordersAtMost = 1_000;

/** The personal fields of a record of which nothing was erased, in the order of their UTF-16 code units. */
function namesIn(context: AuditContext): readonly string[] {
  let members = '';
  for (const name in context) members += `${name},`;
  const known = orders.get(members);
  if (known) return known;
  const names = namesWith(context, {});
  // Only a manipulated log has so many.
  if (orders.size < ordersAtMost) orders.set(members, names);
  return names;
}

function namesWith(context: AuditContext, erased: FieldHashes): readonly string[] {
  return [...new Set([...personalFields, ...Object.keys(context), ...Object.keys(erased)])].toSorted();
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
