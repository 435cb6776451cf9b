import type { AuditProducer } from '@waybill/contracts/messages/audit-event';

/** Numbers for events that one statement appends. */
export interface TakenNumbers {
  readonly first: number;
  readonly count: number;
  /** The run, without the number of an event. */
  readonly producer: Omit<AuditProducer, 'number'>;
  /** The transaction that appended the events of the first `made` numbers has committed; the others were not needed. */
  committed(made: number): void;
  /** Nothing was appended, or it is unknown whether. */
  voided(): void;
}

/** More voided numbers than this are not reported: the run is over, and nothing is said of its last numbers. */
const voidedAtMost = 1_000;

/**
 * One run of numbers: 1, 2, 3, ... for the events of one process in the order in which it composes them. Numbers whose
 * transaction was not committed are voided: the next event reports them. No number waits for another one.
 */
export class EventRun {
  readonly #id: string;
  #last = 0;
  #settled = 0;
  /** Settled numbers above the first one that is not. */
  readonly #done = new Set<number>();
  #unreported: number[] = [];

  constructor(id: string) {
    this.#id = id;
  }

  /** Whether another run must be begun, because too much has failed in this one. */
  get isOver(): boolean {
    return this.#unreported.length > voidedAtMost;
  }

  /** Takes the next numbers. Of several events none reports voided numbers, as each of them would. */
  take(count: number): TakenNumbers {
    const first = this.#last + 1;
    this.#last += count;
    const reported = count === 1 ? this.#unreported : [];
    if (count === 1) this.#unreported = [];
    return {
      first,
      count,
      producer: {
        id: this.#id,
        settled: this.#settledWith(reported),
        ...(reported.length > 0 && { voided: reported }),
      },
      committed: (made) => {
        for (const number of reported) this.#done.add(number);
        for (let number = first; number < first + made; number += 1) this.#done.add(number);
        for (let number = first + made; number < first + count; number += 1) this.#unreported.push(number);
        while (this.#done.delete(this.#settled + 1)) this.#settled += 1;
      },
      voided: () => {
        for (const number of reported) this.#unreported.push(number);
        for (let number = first; number < first + count; number += 1) this.#unreported.push(number);
      },
    };
  }

  #settledWith(reported: readonly number[]): number {
    let settled = this.#settled;
    if (reported.length === 0) return settled;
    const voided = new Set(reported);
    while (this.#done.has(settled + 1) || voided.has(settled + 1)) settled += 1;
    return settled;
  }
}
