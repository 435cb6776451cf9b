import { type MissingNumbers, ProducerLedger, type WaitingNumbers } from '../records/producer-numbers.ts';
import type { ArchivedStart } from '../retention/archive-lines.ts';
import { createJoinedOrder } from './batch-order.ts';
import type { Findings } from './findings.ts';
import type { CheckedRange } from './log-source.ts';

/** Checks the numbers that producers gave their events (docs/audit-log.md, "Producers"). */
export interface ProducerCheck {
  /** The next range of records. */
  take(range: Pick<CheckedRange, 'producers' | 'batches'>): void;
  /** After the last record. `readWaiting` is called only if numbers are missing. */
  end(readWaiting: () => Promise<readonly WaitingNumbers[]>): Promise<void>;
}

/** Continues with what was archived; without it, what the archives have is unknown, and no number is missing. */
export function createProducerCheck(start: ArchivedStart | undefined, findings: Findings): ProducerCheck {
  const ledger = new ProducerLedger();
  const order = createJoinedOrder(findings);
  const isKnown = start === undefined || start.producers !== null;
  ledger.takeAll(start?.producers ?? []);
  return {
    take: ({ producers, batches }) => {
      ledger.takeAll(producers);
      order.take(batches);
    },
    end: async (readWaiting) => {
      if (!isKnown || ledger.missing().length === 0) return;
      for (const one of ledger.missing(await readWaiting()))
        findings.add('producer_gap', one.sequence, gapSentence(one));
    },
  };
}

function gapSentence({ id, first, last }: MissingNumbers): string {
  const what = first === last ? `Number ${first}` : `Numbers ${first} to ${last}`;
  const place = first === 1 ? `before ${last + 1}` : `between ${first - 1} and ${last + 1}`;
  return `${what} missing from producer ${id} ${place}`;
}
