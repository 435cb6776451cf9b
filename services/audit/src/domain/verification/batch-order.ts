import type { StoredRecord } from '../records/log-record.ts';
import type { Findings } from './findings.ts';

/** The last number of each producer in a batch, so far. It is plain data, so that a thread can return it. */
export interface BatchNumbers {
  /** The `recordedAt` that the records of a batch share. */
  readonly recordedAt: string | null;
  readonly numbers: ReadonlyMap<string, PlacedNumber>;
}

/** The first number of a producer in a batch, or its last one. */
interface PlacedNumber {
  readonly number: number;
  readonly sequence: number;
}

/** The batches at both ends of a range of records; the same one twice, if there is only one. */
export interface BatchEnds {
  /** The first numbers of the first batch, and the last ones of the last batch. */
  readonly first: BatchNumbers;
  readonly last: BatchNumbers;
  readonly isOne: boolean;
}

type OrderedRecord = Pick<StoredRecord, 'sequence' | 'recordedAt' | 'producer'>;

/** Checks that numbers of a producer ascend within each batch. Only the memory of two batches is needed. */
export function createBatchOrder(findings: Findings) {
  const first = { recordedAt: null as string | null, numbers: new Map<string, PlacedNumber>() };
  let last = { recordedAt: null as string | null, numbers: new Map<string, PlacedNumber>() };
  let batches = 0;
  return {
    take: ({ sequence, recordedAt, producer }: OrderedRecord): void => {
      if (batches === 0 || last.recordedAt !== recordedAt) {
        batches += 1;
        last = { recordedAt, numbers: new Map() };
        if (batches === 1) first.recordedAt = recordedAt;
      }
      if (!producer || recordedAt === null) return;
      const { id, number } = producer;
      const before = last.numbers.get(id);
      if (before && number <= before.number) report(findings, { id, number, sequence }, before);
      last.numbers.set(id, { number, sequence });
      if (batches === 1 && !before) first.numbers.set(id, { number, sequence });
    },
    /** The batches at its ends. */
    ends: (): BatchEnds => ({ first, last, isOne: batches <= 1 }),
  };
}

/** Checks a batch that continues in the next range of records. */
export function createJoinedOrder(findings: Findings) {
  let open: BatchNumbers | undefined;
  return {
    take: ({ first, last, isOne }: BatchEnds): void => {
      const isContinued = open !== undefined && open.recordedAt !== null && open.recordedAt === first.recordedAt;
      if (open && isContinued) {
        for (const [id, placed] of first.numbers) {
          const before = open.numbers.get(id);
          if (before && placed.number <= before.number) report(findings, { id, ...placed }, before);
        }
      }
      open = open && isContinued && isOne ? { ...last, numbers: new Map([...open.numbers, ...last.numbers]) } : last;
    },
  };
}

function report(findings: Findings, record: PlacedNumber & { id: string }, before: PlacedNumber): void {
  const { id, number, sequence } = record;
  const message = `Record ${sequence} has number ${number} of producer ${id}, after ${before.number} in the same batch`;
  findings.add('producer_reversed', sequence, message);
}
