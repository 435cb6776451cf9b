import { leafText } from '../records/leaf-text.ts';
import { nilId, type StoredRecord } from '../records/log-record.ts';
import { leafHashText, sha256 } from '../tree/tree-hash.ts';
import type { Findings } from './findings.ts';

/** Follows the records from the first one. */
export interface RecordCheck {
  /** The next record in order of sequence numbers. Returns the hash of its leaf, computed from its fields. */
  take(record: StoredRecord): Buffer;
  readonly last: Pick<StoredRecord, 'sequence' | 'id'>;
}

/** How much the clocks of two writers may differ. */
export const clockToleranceMs = 60_000;

const firstPlace = { sequence: 0, id: nilId, hash: '0'.repeat(64) };

/** What is known of the record before the first one; of an archived one less than of a stored one. */
export type RecordBefore = Pick<StoredRecord, 'sequence' | 'id' | 'hash'> & { readonly recordedAt: string | null };

/** Starts after the record `before`, or before the first one. */
export function createRecordCheck(findings: Findings, before?: RecordBefore): RecordCheck {
  let last: Pick<StoredRecord, 'sequence' | 'id' | 'hash'> = before ?? firstPlace;
  let latestMs = typeof before?.recordedAt === 'string' ? Date.parse(before.recordedAt) : Number.NEGATIVE_INFINITY;
  let checked = before?.recordedAt;
  const checkClock = ({ sequence, recordedAt }: StoredRecord): void => {
    // The records of a batch have their time in common.
    if (recordedAt === null || recordedAt === checked) return;
    checked = recordedAt;
    const recordedMs = Date.parse(recordedAt);
    if (recordedMs < latestMs - clockToleranceMs) {
      findings.add('clock_set_back', sequence, clockSentence(sequence));
      latestMs = recordedMs;
    }
    latestMs = Math.max(latestMs, recordedMs);
  };
  return {
    get last() {
      return last;
    },
    take: (record) => {
      const { sequence, id, previousHash } = record;
      const text = leafText(record);
      const hash = leafHashText(text);
      if ((previousHash === null ? hash : sha256(text)) !== record.hash)
        findings.add('record_altered', sequence, `Record ${sequence} (${id}) is not what was hashed`);
      checkPlace(record, last, findings);
      checkClock(record);
      last = record;
      return Buffer.from(hash, 'hex');
    },
  };
}

/** The message of a clock that was set back. */
export function clockSentence(sequence: number): string {
  return `Record ${sequence} was recorded earlier than the records before it`;
}

function checkPlace(
  record: StoredRecord,
  last: Pick<StoredRecord, 'sequence' | 'id' | 'hash'>,
  findings: Findings,
): void {
  const { sequence, id, correlationId, previousHash } = record;
  const expected = last.sequence + 1;
  if (sequence < expected) {
    findings.add('sequence_repeated', sequence, `There is more than one record ${sequence}`);
  } else if (sequence > expected) {
    const missing = sequence === expected + 1 ? `Record ${expected} is` : `Records ${expected} to ${sequence - 1} are`;
    findings.add('records_missing', expected, `${missing} missing`);
  } else if (correlationId !== last.id || (previousHash !== null && previousHash !== last.hash)) {
    findings.add('link_broken', sequence, `Record ${sequence} (${id}) does not follow the record before it`);
  }
}
