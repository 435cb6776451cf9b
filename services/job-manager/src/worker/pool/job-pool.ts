import { Interruption } from '../../domain/jobs/interruption.ts';
import type { ClaimedJob, Hold } from '../../domain/jobs/job-ledger.ts';

/** What a pool works with. */
export interface JobPoolOptions {
  /** Jobs at a time. */
  readonly capacity: number;
  readonly leaseMs: number;
  claim(limit: number): Promise<ClaimedJob[]>;
  renew(holds: readonly Hold[]): Promise<readonly Hold[]>;
  /**
   * Runs a job to its end, or until the signal's `Interruption`; it does not throw. From `onWorkDone` on it only waits for
   * its end to be written down, and another job can begin.
   */
  run(claimed: ClaimedJob, signal: AbortSignal, onWorkDone: () => void): Promise<void>;
  /**
   * Called when there may be another job to claim, by this process or another; not more often than every 100 ms while this
   * one has no capacity left.
   */
  onMore(): void;
  onTrouble(error: unknown, what: 'claim' | 'renew'): void;
}

interface Slot {
  readonly hold: Hold;
  readonly controller: AbortController;
  /** Until when the lease is known to be held, by this process's monotonic clock. */
  heldUntil: number;
  ended: Promise<void>;
}

interface BegunJob {
  /** Settles when it takes no capacity any more. */
  readonly workDone: Promise<void>;
  readonly ended: Promise<void>;
}

type Answer = (claimed: ClaimedJob | undefined) => void;

/** How often a pool without capacity says that there may be more, for other processes. */
const moreIntervalMs = 100;

/**
 * The jobs that this process runs: those that messages ask for (`take`) and those that no message announced (`fill`). While
 * the end of one is written down the next one is claimed. Claims
 * that are wanted at the same time are one statement. Each lease is renewed three times before it expires; a job whose
 * lease is lost, or cannot be proved to be held for the last tenth of its time, is interrupted, however long a renewal
 * takes. Disposing of the pool stops claiming, interrupts the running jobs and waits until they are released.
 */
export class JobPool implements AsyncDisposable {
  readonly #options: JobPoolOptions;
  readonly #slots = new Set<Slot>();
  readonly #heartbeat: NodeJS.Timeout;
  readonly #deadline: NodeJS.Timeout;
  #wanted: Answer[] = [];
  #claiming: Promise<void> | undefined;
  #renewing: Promise<void> | undefined;
  #closed = false;
  /** Jobs whose end is being written: they take no capacity. */
  #endings = 0;
  #saidMoreAt = 0;
  #taken = 0;

  constructor(options: JobPoolOptions) {
    this.#options = options;
    this.#heartbeat = setInterval(() => this.renew(), options.leaseMs / 3);
    this.#heartbeat.unref();
    this.#deadline = setInterval(() => this.#interruptOverdue(), options.leaseMs / 20);
    this.#deadline.unref();
  }

  /** Jobs that messages have brought so far. */
  get taken(): number {
    return this.#taken;
  }

  /** Jobs that are worked on now. */
  get running(): number {
    return this.#slots.size;
  }

  /**
   * Claims a job and runs it, then the next one, until there is none, or no capacity, or so many have run. Resolves to them
   * when all have ended.
   */
  async take(limit = 1): Promise<readonly ClaimedJob[]> {
    const taken: ClaimedJob[] = [];
    let ending: Promise<void> | undefined;
    while (taken.length < limit) {
      const claimed = await this.#claimOne();
      if (claimed) {
        this.#sayMore();
        taken.push(claimed);
        this.#taken += 1;
        const { workDone, ended } = this.#begin(claimed);
        ending = Promise.all([ending, ended]).then(() => {});
        await workDone;
      } else if (ending) {
        // The end of the last job may make room in its queue.
        await ending;
        ending = undefined;
      } else break;
    }
    await ending;
    if (taken.length === limit || this.#closed) this.#sayMore();
    return taken;
  }

  /** Claims jobs for all of the free capacity, and again when one of them has ended. Resolves to the count. */
  async fill(): Promise<number> {
    const claims = await Promise.all(Array.from({ length: Math.max(0, this.#room) }, () => this.#claimOne()));
    const claimed = claims.filter((claim) => claim !== undefined);
    for (const job of claimed) void this.#fillAfter(this.#begin(job));
    return claimed.length;
  }

  /** Interrupts a job that this process no longer holds. */
  interrupt(jobId: number): void {
    for (const { hold, controller } of this.#slots) {
      if (hold.jobId === jobId) controller.abort(new Interruption('lost'));
    }
  }

  /** Renews all leases now, and so finds out which jobs are no longer held. */
  renew(): void {
    this.#renewing ??= this.#renewAll().finally(() => {
      this.#renewing = undefined;
    });
  }

  /** Stops claiming; running jobs continue. */
  close(): void {
    this.#closed = true;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    await this.#claiming;
    for (const { controller } of this.#slots) controller.abort(new Interruption('stopping'));
    await Promise.all([...this.#slots].map(({ ended }) => ended));
    clearInterval(this.#heartbeat);
    clearInterval(this.#deadline);
    await this.#renewing;
  }

  get #room(): number {
    return this.#options.capacity - (this.#slots.size - this.#endings) - this.#wanted.length;
  }

  #sayMore(): void {
    const now = performance.now();
    if (this.#room <= 0 && now < this.#saidMoreAt + moreIntervalMs) return;
    this.#saidMoreAt = now;
    this.#options.onMore();
  }

  #claimOne(): Promise<ClaimedJob | undefined> {
    if (this.#closed || this.#room <= 0) return Promise.resolve(undefined);
    const { promise, resolve } = Promise.withResolvers<ClaimedJob | undefined>();
    this.#wanted.push(resolve);
    this.#claiming ??= this.#claimWanted().finally(() => {
      this.#claiming = undefined;
    });
    return promise;
  }

  /** What is wanted while a claim is under way is claimed by the next one. */
  async #claimWanted(): Promise<void> {
    for (;;) {
      // Wants of the same turn of the event loop are claimed together.
      await new Promise(setImmediate);
      const { length } = this.#wanted;
      if (length === 0) return;
      const startedAt = performance.now();
      const claimed = await this.#options.claim(length).catch((error: unknown) => {
        this.#options.onTrouble(error, 'claim');
        return [];
      });
      for (const job of claimed) this.#occupy(job, startedAt);
      const answers = this.#wanted.splice(0, length);
      for (const [index, answer] of answers.entries()) answer(claimed[index]);
    }
  }

  /** From the claim on the lease is renewed. */
  #occupy({ hold }: ClaimedJob, claimedAt: number): void {
    const heldUntil = claimedAt + this.#options.leaseMs;
    this.#slots.add({ hold, controller: new AbortController(), heldUntil, ended: Promise.resolve() });
  }

  async #fillAfter({ workDone, ended }: BegunJob): Promise<void> {
    await workDone;
    this.#sayMore();
    if ((await this.fill()) > 0) return;
    // The end of the job may make room in its queue.
    await ended;
    await this.fill();
  }

  #begin(claimed: ClaimedJob): BegunJob {
    const slot = [...this.#slots].find(({ hold }) => hold === claimed.hold);
    if (!slot) throw new Error(`Job ${claimed.job.id} has no place`);
    if (this.#closed) slot.controller.abort(new Interruption('stopping'));
    const { promise: workDone, resolve } = Promise.withResolvers<void>();
    let isWorkDone = false;
    const onWorkDone = (): void => {
      // Without this limit jobs would pile up while their ends cannot be written.
      if (this.#endings >= this.#options.capacity) return;
      isWorkDone = true;
      this.#endings += 1;
      resolve();
    };
    slot.ended = this.#options.run(claimed, slot.controller.signal, onWorkDone).finally(() => {
      this.#slots.delete(slot);
      if (isWorkDone) this.#endings -= 1;
      resolve();
    });
    return { workDone, ended: slot.ended };
  }

  async #renewAll(): Promise<void> {
    const held = [...this.#slots];
    if (held.length === 0) return;
    const startedAt = performance.now();
    try {
      const renewed = new Set(await this.#options.renew(held.map(({ hold }) => hold)));
      for (const slot of held) {
        if (renewed.has(slot.hold)) slot.heldUntil = startedAt + this.#options.leaseMs;
        else slot.controller.abort(new Interruption('lost'));
      }
    } catch (error) {
      this.#options.onTrouble(error, 'renew');
    }
  }

  #interruptOverdue(): void {
    const soon = performance.now() + this.#options.leaseMs / 10;
    for (const { heldUntil, controller } of this.#slots) {
      if (heldUntil < soon) controller.abort(new Interruption('lost'));
    }
  }
}
