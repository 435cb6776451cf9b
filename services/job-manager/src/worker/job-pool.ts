import { Interruption } from '../domain/interruption.ts';
import type { ClaimedJob, Hold } from '../domain/job-ledger.ts';

/** What a pool works with. */
export interface JobPoolOptions {
  /** Jobs at a time. */
  readonly capacity: number;
  readonly leaseMs: number;
  claim(limit: number): Promise<ClaimedJob[]>;
  renew(holds: readonly Hold[]): Promise<readonly Hold[]>;
  /** Runs a job to its end, or until the signal's `Interruption`; it does not throw. */
  run(claimed: ClaimedJob, signal: AbortSignal): Promise<void>;
  onTrouble(error: unknown, what: 'claim' | 'renew'): void;
}

interface Slot {
  readonly hold: Hold;
  readonly controller: AbortController;
  readonly begunAt: number;
  ended: Promise<void>;
}

/**
 * The jobs that this process runs. It claims jobs while there is capacity, renews each lease three times before it
 * expires, and interrupts jobs whose lease is lost. Disposing of it stops claiming, interrupts the running jobs and
 * waits until they are released.
 */
export class JobPool implements AsyncDisposable {
  readonly #options: JobPoolOptions;
  readonly #slots = new Set<Slot>();
  readonly #heartbeat: NodeJS.Timeout;
  #waitingForRoom: (() => void)[] = [];
  #claiming: Promise<void> | undefined;
  #wokenMeanwhile = false;
  #closed = false;
  #renewedAt = Number.NEGATIVE_INFINITY;

  constructor(options: JobPoolOptions) {
    this.#options = options;
    this.#heartbeat = setInterval(() => void this.#renew(), options.leaseMs / 3);
    this.#heartbeat.unref();
  }

  /** Jobs that are worked on now. */
  get running(): number {
    return this.#slots.size;
  }

  /** Looks for jobs now, if there is capacity. */
  wake(): void {
    if (this.#closed) return;
    this.#wokenMeanwhile = this.#claiming !== undefined;
    this.#claiming ??= this.#claimAll()
      .catch((error: unknown) => this.#options.onTrouble(error, 'claim'))
      .finally(() => {
        this.#claiming = undefined;
        if (this.#wokenMeanwhile) this.wake();
      });
  }

  /** Looks for jobs after a while. */
  wakeAfter(delayMs: number): void {
    setTimeout(() => this.wake(), delayMs).unref();
  }

  /** Resolves when there is room, to how many there is room for; when the pool is closed, to 0. */
  async room(): Promise<number> {
    await this.#claiming;
    if (!this.#closed && this.#room === 0) await new Promise<void>((resolve) => this.#waitingForRoom.push(resolve));
    return this.#closed ? 0 : this.#room;
  }

  /** Interrupts a job that this process no longer holds. */
  interrupt(jobId: number): void {
    for (const { hold, controller } of this.#slots) {
      if (hold.jobId === jobId) controller.abort(new Interruption('lost'));
    }
  }

  /** Stops claiming and releases callers that wait for capacity; running jobs continue. */
  close(): void {
    this.#closed = true;
    for (const resolve of this.#waitingForRoom.splice(0)) resolve();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.close();
    await this.#claiming;
    for (const { controller } of this.#slots) controller.abort(new Interruption('stopping'));
    await Promise.all([...this.#slots].map(({ ended }) => ended));
    clearInterval(this.#heartbeat);
  }

  get #room(): number {
    return this.#options.capacity - this.#slots.size;
  }

  async #claimAll(): Promise<void> {
    do {
      this.#wokenMeanwhile = false;
      const room = this.#room;
      if (room <= 0 || this.#closed) return;
      const claimed = await this.#options.claim(room);
      for (const job of claimed) this.#begin(job);
      if (claimed.length === room) return;
    } while (this.#wokenMeanwhile);
  }

  #begin(claimed: ClaimedJob): void {
    const controller = new AbortController();
    const slot: Slot = { hold: claimed.hold, controller, begunAt: performance.now(), ended: Promise.resolve() };
    this.#slots.add(slot);
    slot.ended = this.#options.run(claimed, controller.signal).finally(() => {
      this.#slots.delete(slot);
      this.#waitingForRoom.shift()?.();
      this.wake();
    });
  }

  async #renew(): Promise<void> {
    const held = [...this.#slots];
    if (held.length === 0) return;
    const startedAt = performance.now();
    try {
      const renewed = new Set(await this.#options.renew(held.map(({ hold }) => hold)));
      this.#renewedAt = startedAt;
      for (const { hold, controller } of held) if (!renewed.has(hold)) controller.abort(new Interruption('lost'));
    } catch (error) {
      this.#options.onTrouble(error, 'renew');
      // Without the database it is unknown whether the leases are still held; a worker that finds them expired
      // takes over.
      for (const { controller, begunAt } of held) {
        const lastHeldAt = Math.max(this.#renewedAt, begunAt);
        if (performance.now() - lastHeldAt > this.#options.leaseMs) controller.abort(new Interruption('lost'));
      }
    }
  }
}
