import type { AuditProducer } from '@waybill/contracts/messages/audit-event';

/** Consecutive numbers of one producer. */
export interface NumberRun {
  readonly first: number;
  readonly last: number;
}

/** Numbers that records have or void. */
export interface KnownRun extends NumberRun {
  /** The record that has or voids the first one. */
  readonly sequence: number;
}

/** What records say about the numbers of one producer. It is plain data, so that a thread can return it. */
export interface ProducerNumbers {
  readonly id: string;
  /** In ascending order, none adjacent to another one. */
  readonly known: readonly KnownRun[];
  /** The highest number up to which a record says that all are settled. */
  readonly settled: number;
  /** The first record that says so. */
  readonly settledAt: number;
}

/** Numbers of one producer that are missing. */
export interface MissingNumbers extends NumberRun {
  readonly id: string;
  /** The record of the next number that is not missing. */
  readonly sequence: number;
}

/** Numbers of one producer that are waiting to be recorded. */
export interface WaitingNumbers extends NumberRun {
  readonly id: string;
}

interface Ledger {
  known: KnownRun[];
  settled: number;
  settledAt: number;
}

/** Which numbers of producers are known, and which are missing. It grows with the producers and the gaps, not with the records. */
export class ProducerLedger {
  readonly #ledgers = new Map<string, Ledger>();

  /** Adds a record, in any order. What cannot be a number is ignored. */
  take({ sequence, producer }: { readonly sequence: number; readonly producer: AuditProducer | null }): void {
    if (!producer) return;
    const { id, number, settled, voided } = producer;
    const ledger = this.#ledgerOf(id);
    if (isNumber(number)) addRun(ledger.known, { first: number, last: number, sequence });
    if (Array.isArray(voided))
      for (const one of voided) if (isNumber(one)) addRun(ledger.known, { first: one, last: one, sequence });
    if (isNumber(settled)) settle(ledger, settled, sequence);
  }

  /** Adds what another ledger has. */
  takeAll(others: readonly ProducerNumbers[]): void {
    for (const { id, known, settled, settledAt } of others) {
      const ledger = this.#ledgerOf(id);
      for (const run of known) addRun(ledger.known, run);
      settle(ledger, settled, settledAt);
    }
  }

  /** All that is known. */
  numbers(): ProducerNumbers[] {
    return [...this.#ledgers].map(([id, ledger]) => ({ id, ...ledger }));
  }

  /** The settled numbers that neither a record has nor voids, nor are waiting. */
  missing(waiting: readonly WaitingNumbers[] = []): MissingNumbers[] {
    const excused = Map.groupBy(waiting, ({ id }) => id);
    return [...this.#ledgers].flatMap(([id, { known, settled, settledAt }]) => {
      const all = [...known];
      for (const { first, last } of excused.get(id) ?? []) addRun(all, { first, last, sequence: settledAt });
      return gapsIn(all, settled).map(({ first, last }) => ({
        id,
        first,
        last,
        sequence: after(known, last) ?? settledAt,
      }));
    });
  }

  #ledgerOf(id: string): Ledger {
    let ledger = this.#ledgers.get(id);
    if (!ledger) this.#ledgers.set(id, (ledger = { known: [], settled: 0, settledAt: 0 }));
    return ledger;
  }
}

function isNumber(value: unknown): value is number {
  return Number.isSafeInteger(value) && Number(value) >= 1;
}

function settle(ledger: Ledger, settled: number, sequence: number): void {
  if (settled > ledger.settled) Object.assign(ledger, { settled, settledAt: sequence });
  else if (settled === ledger.settled) ledger.settledAt = Math.min(ledger.settledAt, sequence);
}

/** Adds a run, and joins it with those that it touches. */
function addRun(runs: KnownRun[], added: KnownRun): void {
  const from = firstIndex(runs, ({ last }) => last >= added.first - 1);
  let to = from;
  let joined = added;
  for (let next = runs[to]; next !== undefined && next.first <= added.last + 1; next = runs[(to += 1)]) {
    const { sequence } = next.first <= joined.first ? next : joined;
    joined = { first: Math.min(joined.first, next.first), last: Math.max(joined.last, next.last), sequence };
  }
  runs.splice(from, to - from, joined);
}

function gapsIn(runs: readonly NumberRun[], settled: number): NumberRun[] {
  const gaps: NumberRun[] = [];
  let next = 1;
  for (const { first, last } of [...runs, { first: settled + 1, last: settled + 1 }]) {
    const end = Math.min(first - 1, settled);
    if (next <= end) gaps.push({ first: next, last: end });
    next = Math.max(next, last + 1);
  }
  return gaps;
}

/** The record of the first known number above `number`. */
function after(runs: readonly KnownRun[], number: number): number | undefined {
  return runs[firstIndex(runs, ({ first }) => first > number)]?.sequence;
}

/** The index of the first run for which `isReached` is true. Most numbers come in ascending order. */
function firstIndex(runs: readonly KnownRun[], isReached: (run: KnownRun) => boolean): number {
  const last = runs.at(-1);
  if (!last || !isReached(last)) return runs.length;
  let [low, high] = [0, runs.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    const run = runs[middle];
    if (run && isReached(run)) high = middle;
    else low = middle + 1;
  }
  return low;
}
