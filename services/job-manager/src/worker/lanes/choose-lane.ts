import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { ClaimedJob } from '../../domain/jobs/job-ledger.ts';
import type { Compute } from '../../domain/workflows/computation.ts';
import { lossesAtMost } from '../run/run-attempt.ts';
import type { JobRunner } from '../run/run-job.ts';

/** Where work is done: jobs in this process or in processes of their own, CPU-bound parts of steps in threads. */
export type Lane = 'inline' | 'process' | 'thread';

/** Counts what is under way in each lane. */
export type CountInLane = <T>(lane: Lane, work: () => Promise<T>) => Promise<T>;

/** Reports how much is under way in each lane. */
export function reportLanes(metrics: Metrics): CountInLane {
  const running: Record<Lane, number> = { inline: 0, process: 0, thread: 0 };
  metrics.gauge({
    name: 'waybill_job_lanes',
    help: 'Jobs that this process works on itself (inline) or in a process for a suspected one (process), and computations of their steps (thread)',
    labels: ['lane'],
    collect: (gauge) => {
      for (const [lane, count] of Object.entries(running)) gauge.set({ lane }, count);
    },
  });
  return async (lane, work) => {
    running[lane] += 1;
    try {
      return await work();
    } finally {
      running[lane] -= 1;
    }
  };
}

/** Runs each job in its lane: a suspected one in a process of its own. */
export function chooseLane(lanes: Readonly<Record<'inline' | 'process', JobRunner>>, count: CountInLane): JobRunner {
  return (claimed, signal, onWorkDone) => {
    const lane = laneOf(claimed);
    return count(lane, () => lanes[lane](claimed, signal, onWorkDone));
  };
}

/** A condemned job is not begun any more, only ended. */
function laneOf({ suspect, lossesAlone }: ClaimedJob): 'inline' | 'process' {
  return suspect && lossesAlone < lossesAtMost.alone ? 'process' : 'inline';
}

/** Counts computations as work of the lane of threads. */
export function countComputations(compute: Compute, count: CountInLane): Compute {
  return (order, signal) => count('thread', () => compute(order, signal));
}
