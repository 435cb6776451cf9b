/** A job engine under measurement. */
export interface Engine extends AsyncDisposable {
  /** With what decides its figures: what a job costs it, and what is durable. */
  readonly name: string;
  /** Adds one job, durably as far as the engine is. */
  add(index: number): Promise<void>;
  /** Runs all jobs that were added, so many at a time in this process. Resolves when the last one is completed. */
  runAll(count: number, concurrency: number): Promise<void>;
}

/** Counts the jobs that have run. */
export interface Countdown {
  /** Resolves when all have run. */
  readonly over: Promise<void>;
  tick(): void;
}

/** Counts down from the number of jobs. */
export function countDown(count: number): Countdown {
  const { promise: over, resolve } = Promise.withResolvers<void>();
  let left = count;
  return {
    over,
    tick: () => {
      left -= 1;
      if (left === 0) resolve();
    },
  };
}
