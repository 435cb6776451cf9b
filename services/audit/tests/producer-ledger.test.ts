import type { AuditProducer } from '@waybill/contracts/messages/audit-event';
import { EventRun } from '@waybill/outbox/numbering/event-run';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type MissingNumbers, ProducerLedger } from '../src/domain/records/producer-numbers.ts';

interface Event {
  readonly sequence: number;
  readonly producer: AuditProducer;
}

const ledgerOf = (events: readonly Event[]): ProducerLedger => {
  const ledger = new ProducerLedger();
  for (const event of events) ledger.take(event);
  return ledger;
};
/** What an event in the outbox excuses: its own number, and those that it voids. */
const waitingOf = ({ id, number, voided = [] }: AuditProducer) =>
  [number, ...voided].map((one) => ({ id, first: one, last: one }));
const numbersOf = (runs: readonly MissingNumbers[]): number[] => runs.flatMap(({ first, last }) => [first, last]);

/**
 * What a producer does until it is killed: a transaction takes numbers, and commits or is rolled back later, and the consumer
 * stores committed events in any order. Returns what is stored, and what is still in the outbox.
 */
function play(id: string, steps: readonly { readonly what: number; readonly which: number }[]) {
  const run = new EventRun(id);
  const open: { numbers: ReturnType<EventRun['take']>; made: number }[] = [];
  const outbox: AuditProducer[] = [];
  const stored: AuditProducer[] = [];
  for (const { what, which } of steps) {
    if (what < 4) open.push({ numbers: run.take(what === 0 ? 1 + (which % 4) : 1), made: 1 + (which % 3) });
    else if (what < 9) {
      const [given] = open.splice(which % Math.max(1, open.length), 1);
      if (!given) continue;
      const { first, count, producer } = given.numbers;
      if (what === 4) given.numbers.voided();
      else {
        const made = Math.min(count, given.made);
        for (let number = first; number < first + made; number += 1) outbox.push({ ...producer, number });
        // The outcome of a commit may be unknown: then its numbers are voided, and have events.
        if (what === 5) given.numbers.voided();
        else given.numbers.committed(made);
      }
    } else stored.push(...outbox.splice(which % Math.max(1, outbox.length), 1));
  }
  return { stored, outbox };
}

const steps = fc.array(fc.record({ what: fc.integer({ min: 0, max: 13 }), which: fc.nat(50) }), { maxLength: 120 });

describe('the numbers of producers', () => {
  it('lack nothing in an honest log, whatever was rolled back, delayed or killed', () => {
    fc.assert(
      fc.property(fc.array(steps, { minLength: 1, maxLength: 3 }), (runs) => {
        const played = runs.map((each, index) => play(`p${index}`, each));
        const records = played
          .flatMap(({ stored }) => stored)
          .map((producer, index) => ({ sequence: index + 1, producer }));
        const waiting = played.flatMap(({ outbox }) => outbox.flatMap(waitingOf));
        expect(ledgerOf(records).missing(waiting)).toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('show each deleted record that another record says was settled, and only these', () => {
    fc.assert(
      fc.property(steps, fc.nat(), (each, which) => {
        const { stored, outbox } = play('p', each);
        const kept = stored.toSpliced(which % Math.max(1, stored.length), 1);
        const [deleted] = stored.slice(which % Math.max(1, stored.length));
        if (!deleted) return;
        const records = kept.map((producer, index) => ({ sequence: index + 1, producer }));
        const waiting = outbox.flatMap(waitingOf);
        const isSettled = (number: number) => kept.some(({ settled }) => settled >= number);
        const isVoided = (number: number) => [...kept, ...outbox].some(({ voided }) => voided?.includes(number));
        // After an unknown outcome, a later record voids the same numbers again.
        const lost = deleted.voided?.filter((number) => isSettled(number) && !isVoided(number)) ?? [];
        const missing = ledgerOf(records).missing(waiting);
        const { number } = deleted;
        if (lost.length === 0)
          expect(numbersOf(missing)).toEqual(isSettled(number) && !isVoided(number) ? [number, number] : []);
        else expect(missing).not.toEqual([]);
      }),
      { numRuns: 500 },
    );
  });

  it('are the same in whatever ranges and order records are read, in memory that grows with gaps only', () => {
    fc.assert(
      fc.property(steps, fc.integer({ min: 1, max: 9 }), (each, size) => {
        const records = play('p', each).stored.map((producer, index) => ({ sequence: index + 1, producer }));
        const joined = new ProducerLedger();
        for (let at = 0; at < records.length; at += size)
          joined.takeAll(structuredClone(ledgerOf(records.slice(at, at + size)).numbers()));
        expect(joined.numbers()).toEqual(ledgerOf(records).numbers());
        expect(ledgerOf(records.toReversed()).missing()).toEqual(joined.missing());
      }),
    );
    const ledger = new ProducerLedger();
    for (let number = 1; number <= 100_000; number += 1)
      if (number % 50_000 > 0) ledger.take({ sequence: number, producer: { id: 'p', number, settled: number - 1 } });
    expect(ledger.numbers()).toMatchObject([{ known: [{ first: 1 }, { first: 50_001, last: 99_999 }] }]);
    expect(ledger.missing()).toEqual([{ id: 'p', first: 50_000, last: 50_000, sequence: 50_001 }]);
  });

  it('that are no numbers are ignored, and huge ones cost nothing', () => {
    const ledger = new ProducerLedger();
    for (const number of [0, -1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, 2 ** 53])
      ledger.take({ sequence: 1, producer: { id: 'p', number, settled: number, voided: [number] } });
    expect(ledger.missing()).toEqual([]);
    const most = Number.MAX_SAFE_INTEGER;
    ledger.take({ sequence: 2, producer: { id: 'p', number: 7, settled: most } });
    expect(ledger.missing()).toEqual([
      { id: 'p', first: 1, last: 6, sequence: 2 },
      { id: 'p', first: 8, last: most, sequence: 2 },
    ]);
  });
});
