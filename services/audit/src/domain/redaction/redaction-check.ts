import { auditCatalogue } from '@waybill/contracts/messages/audit-catalogue';
import type { StoredRecord } from '../records/log-record.ts';
import { createRangeSet, type NumberRange, readRanges } from './number-ranges.ts';

/** The erased fields of a record. */
export interface ErasedValues {
  readonly sequence: number;
  readonly fields: readonly string[];
}

/** What a record of a redaction says. */
export interface RecordedRedaction {
  readonly fields: readonly string[];
  readonly ranges: readonly NumberRange[];
}

/** Compares the values that were erased with the records of redactions. Memory grows with the number of redactions. */
export interface RedactionCheck {
  take(found: { readonly erased: readonly ErasedValues[]; readonly redactions: readonly RecordedRedaction[] }): void;
  /** Number of records with erased values. */
  readonly records: number;
  /** The values that were erased without a record of it. */
  unrecorded(): readonly ErasedValues[];
}

/** The erased fields of a record; `undefined` if it has all of its values. */
export function erasedValuesOf({ sequence, commitments }: StoredRecord): ErasedValues | undefined {
  return commitments === null ? undefined : { sequence, fields: Object.keys(commitments).toSorted() };
}

/** What a record says about a redaction; `undefined` for any other record. */
export function redactionOf({ auditCode, entityId, entityName }: StoredRecord): RecordedRedaction | undefined {
  if (auditCode !== auditCatalogue.auditRecordRedacted.code) return undefined;
  return { fields: entityName.split(','), ranges: readRanges(entityId) };
}

/** Starts before the first record. */
export function createRedactionCheck(): RedactionCheck {
  const erased: ErasedValues[] = [];
  const recorded = new Map<string, NumberRange[]>();
  return {
    take: (found) => {
      erased.push(...found.erased);
      for (const { fields, ranges } of found.redactions)
        for (const field of fields) recorded.set(field, [...(recorded.get(field) ?? []), ...ranges]);
    },
    get records() {
      return erased.length;
    },
    unrecorded: () => {
      const sets = new Map([...recorded].map(([field, ranges]) => [field, createRangeSet(ranges)]));
      const isRecorded = (field: string, sequence: number) => sets.get(field)?.(sequence) === true;
      return erased.flatMap(({ sequence, fields }) => {
        // In version 1 one hash covers four fields, which are erased together.
        const left = fields.filter((field) => !isRecorded(field === 'personalHash' ? 'auditMessage' : field, sequence));
        return left.length > 0 ? [{ sequence, fields: left }] : [];
      });
    },
  };
}
