import type { ChangeBatch, StatusChange } from './status-change.ts';

/** What is missing: a number that was drawn, by a transaction that has not committed yet or never will. */
interface Gap {
  /** When every transaction before this one has ended, nothing comes any more. */
  readonly decidedBy: bigint;
  readonly noticedAt: number;
}

/** Numbers that are waited for at most before one change: a sequence can jump. */
const gapsAtMost = 10_000;

/**
 * Puts changes into the order of their numbers. Transactions commit in another order than they draw their numbers in, so a missing
 * number may still appear. It is waited for until every transaction that was running when it was missed has ended; after
 * `patienceMs` the changes behind it are handed out, and it follows late if it appears.
 */
export class ChangeOrder {
  readonly #patienceMs: number;
  readonly #gaps = new Map<number, Gap>();
  readonly #late = new Map<number, bigint>();
  /** What was there when the order began: it is not news. */
  readonly #known: Set<number>;
  #position: number;

  /** Begins after the changes of a batch, of which those with lower numbers may still be missing. */
  constructor({ changes }: ChangeBatch, patienceMs: number) {
    this.#patienceMs = patienceMs;
    this.#known = new Set(changes.map(({ id }) => id));
    this.#position = (changes[0]?.id ?? 1) - 1;
  }

  /** Every change up to this number was handed out, or is late. */
  get position(): number {
    return this.#position;
  }

  /** Numbers that were not waited for any longer. */
  get late(): number[] {
    return [...this.#late.keys()];
  }

  /** The changes of a batch that are to be handed out now: those after `position`, and late ones. `now`: milliseconds. */
  take(batch: ChangeBatch, now: number): StatusChange[] {
    const late = batch.changes.filter(({ id }) => id <= this.#position && this.#late.delete(id));
    for (const [id, decidedBy] of this.#late) if (decidedBy <= batch.oldestRunning) this.#late.delete(id);
    const inOrder: StatusChange[] = [];
    let isBlocked = false;
    let next = this.#position + 1;
    for (const change of batch.changes) {
      if (change.id < next) continue;
      for (let id = Math.max(next, change.id - gapsAtMost); id < change.id; id += 1) {
        if (this.#awaits(id, batch, now)) isBlocked = true;
      }
      this.#gaps.delete(change.id);
      next = change.id + 1;
      if (isBlocked) continue;
      this.#position = change.id;
      if (!this.#known.delete(change.id)) inOrder.push(change);
    }
    return [...late, ...inOrder];
  }

  /** Whether the changes behind a missing number have to wait for it. */
  #awaits(id: number, { oldestRunning, nextTransaction }: ChangeBatch, now: number): boolean {
    if (this.#late.has(id)) return false;
    const gap = this.#gaps.get(id) ?? { decidedBy: nextTransaction, noticedAt: now };
    const isDead = gap.decidedBy <= oldestRunning;
    const isLate = !isDead && now - gap.noticedAt > this.#patienceMs;
    if (isLate && this.#late.size < gapsAtMost) this.#late.set(id, gap.decidedBy);
    if (isDead || isLate) this.#gaps.delete(id);
    else this.#gaps.set(id, gap);
    return !isDead && !isLate;
  }
}
