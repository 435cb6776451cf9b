import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Job } from '../../domain/jobs/job.ts';
import type { JobInsertion } from './insert-jobs.ts';
import { isRefused } from './write-batches.ts';

/** Inserts jobs in one statement: all of them, or none if it fails. Results are in the order of the jobs. */
export type InsertMany = (insertions: readonly JobInsertion[]) => Promise<readonly (Job | undefined)[]>;

/** Inserts jobs one by one for its callers, and together for PostgreSQL. */
export interface GroupedInserts {
  /**
   * Resolves when the job is committed; `undefined`: there is already one with its key. @throws CodedError
   * `service_unavailable` if the job could not be inserted in time
   */
  insert(insertion: JobInsertion): Promise<Job | undefined>;
}

/** A caller who waits. */
interface Waiting extends PromiseWithResolvers<Job | undefined> {
  readonly insertion: JobInsertion;
  readonly sinceMs: number;
}

/** While one group is written to disk, the next one is prepared. */
const groupsAtOnce = 2;

/** The limits of a group; a larger job is a group by itself. */
const groupLimits = { jobs: 250, characters: 2 * 1024 * 1024 };

/** As long as a statement may wait for a connection. */
const patienceMs = 10_000;

/**
 * Jobs that are added while others are being committed are inserted together, by one statement and one commit. Each
 * caller gets the result of its own job: if PostgreSQL refuses a group, its jobs are inserted one by one. `onReady` is
 * called once for each group that has created a job.
 */
export function groupInserts(
  insertMany: InsertMany,
  { onReady }: { onReady?: (() => void) | undefined },
): GroupedInserts {
  const waiting: Waiting[] = [];
  let lanes = 0;
  let starts = false;

  const runLane = async (): Promise<void> => {
    lanes += 1;
    for (let group = takeGroup(waiting); group.length > 0; group = takeGroup(waiting)) {
      await settle(group, insertMany, onReady);
    }
    lanes -= 1;
  };
  const start = (): void => {
    starts = false;
    for (let lane = lanes; lane < groupsAtOnce && waiting.length > 0; lane += 1) void runLane();
  };
  return {
    insert: (insertion) => {
      const caller = { insertion, sinceMs: performance.now(), ...Promise.withResolvers<Job | undefined>() };
      waiting.push(caller);
      // After all requests that were read together have come this far.
      if (!starts) setImmediate(start);
      starts = true;
      return caller.promise;
    },
  };
}

/** Takes the callers of the next group, and refuses those who have waited too long. Empty if no one else waits. */
function takeGroup(waiting: Waiting[]): Waiting[] {
  const group: Waiting[] = [];
  let characters = 0;
  let taken = 0;
  for (const caller of waiting) {
    characters += caller.insertion.text.length;
    if (group.length === groupLimits.jobs || (group.length > 0 && characters > groupLimits.characters)) break;
    taken += 1;
    if (performance.now() - caller.sinceMs < patienceMs) group.push(caller);
    else caller.reject(new CodedError('service_unavailable', { names: { retryAfterSeconds: '2' } }));
  }
  waiting.splice(0, taken);
  return group;
}

async function settle(group: readonly Waiting[], insertMany: InsertMany, onReady?: () => void): Promise<void> {
  try {
    const made = await insertMany(group.map(({ insertion }) => insertion));
    group.forEach(({ resolve }, index) => resolve(made[index]));
    if (made.some((job) => job !== undefined)) onReady?.();
  } catch (error) {
    if (group.length > 1 && isRefused(error)) {
      for (const caller of group) await settle([caller], insertMany, onReady);
    } else {
      for (const { reject } of group) reject(error);
    }
  }
}
