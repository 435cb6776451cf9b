import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { BenchJobs } from './start-bench-jobs.ts';
import type { WorkerFleet } from './worker-fleet.ts';

/** The faults of a chaos run: what happens, and how often or for how long. */
export interface FaultPlan {
  readonly kills: number;
  /** Between two kills, in milliseconds: at least, and at most. */
  readonly pauseMs: readonly [number, number];
  readonly stoppedMs: number;
  readonly fullMs: number;
}

/** Does everything once, beside the kills, which are spread over the run. Resolves when all of it is over. */
export async function causeFaults(jobs: BenchJobs, fleet: WorkerFleet, plan: FaultPlan): Promise<void> {
  const faults = [
    async () => {
      const stopped = fleet.stop(1);
      await delay(plan.stoppedMs);
      stopped.goOn();
    },
    async () => {
      // When all jobs have ended, there is no worker to kill.
      for (let tries = 0; tries < 3 * plan.kills && fleet.killed < plan.kills; tries += 1) {
        await delay(randomInt(...plan.pauseMs));
        await fleet.killOne();
      }
    },
    async () => {
      // A third of the kills between each.
      const pauseMs = (plan.kills * (plan.pauseMs[0] + plan.pauseMs[1])) / 2 / 6;
      await delay(pauseMs);
      await jobs.redis.flushall();
      await delay(pauseMs);
      await fillRedis(jobs, plan.fullMs);
      await delay(pauseMs);
      await jobs.stores.redis.crash();
      await delay(pauseMs);
      await jobs.stores.postgres.crash();
    },
  ];
  await Promise.all(faults.map((fault) => fault()));
}

/** No memory is left in Redis: every write is refused. */
async function fillRedis({ redis }: BenchJobs, fullMs: number): Promise<void> {
  await redis.config('SET', 'maxmemory', '1');
  await delay(fullMs);
  await redis.config('SET', 'maxmemory', '0');
}
