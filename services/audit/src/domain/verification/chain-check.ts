import { genesis } from '../chain/chain-head.ts';
import type { ChainedRecord } from '../chain/chained-record.ts';
import { hashRecord } from '../chain/hash-record.ts';
import type { SignedHead } from '../chain/signed-head.ts';
import type { Findings } from './findings.ts';

/** Follows the chain from its beginning. */
export interface ChainCheck {
  /** The next record in order of sequence numbers. */
  take(record: ChainedRecord): void;
  /** After the last record: compares it with the head. */
  end(head: SignedHead | undefined): void;
  readonly last: Pick<ChainedRecord, 'sequence' | 'id' | 'hash'>;
}

/** Starts before the first record. */
export function createChainCheck(findings: Findings): ChainCheck {
  let last: ChainCheck['last'] = { sequence: genesis.sequence, id: genesis.recordId, hash: genesis.recordHash };
  return {
    get last() {
      return last;
    },
    take: (record) => {
      checkContent(record, findings);
      checkPlace(record, last, findings);
      last = record;
    },
    end: (head) => checkEnd(last, head, findings),
  };
}

function checkContent(record: ChainedRecord, findings: Findings): void {
  if (hashRecord(record) === record.hash) return;
  findings.add('record_altered', record.sequence, `Record ${record.sequence} (${record.id}) is not what was hashed`);
}

function checkPlace(record: ChainedRecord, last: ChainCheck['last'], findings: Findings): void {
  const { sequence } = record;
  const expected = last.sequence + 1;
  if (sequence < expected) {
    findings.add('sequence_repeated', sequence, `There is more than one record ${sequence}`);
  } else if (sequence > expected) {
    const missing = sequence === expected + 1 ? `Record ${expected} is` : `Records ${expected} to ${sequence - 1} are`;
    findings.add('records_missing', expected, `${missing} missing`);
  } else if (record.previousHash !== last.hash || record.correlationId !== last.id) {
    findings.add('link_broken', sequence, `Record ${sequence} (${record.id}) does not follow the record before it`);
  }
}

function checkEnd(last: ChainCheck['last'], head: SignedHead | undefined, findings: Findings): void {
  if (!head) {
    if (last.sequence > 0) findings.add('head_missing', last.sequence, 'The signed head of the record is missing');
  } else if (last.sequence < head.sequence) {
    const message = `The record ends at ${last.sequence}, the signed head says ${head.sequence}`;
    findings.add('tail_missing', last.sequence + 1, message);
  } else if (last.sequence > head.sequence) {
    const message = `Records ${head.sequence + 1} to ${last.sequence} are not known to the signed head`;
    findings.add('tail_unknown', head.sequence + 1, message);
  } else if (last.hash !== head.recordHash || last.id !== head.recordId) {
    findings.add('link_broken', last.sequence, `Record ${last.sequence} is not the one that the signed head names`);
  }
}
