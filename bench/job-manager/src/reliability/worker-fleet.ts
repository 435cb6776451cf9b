import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { OwnedProcess } from '@waybill/private-datastores/start-owned-process';
import type { BenchJobs } from './start-bench-jobs.ts';

/** Workers, each with its place; a killed one is replaced at once. */
export interface WorkerFleet {
  /** How many were killed. */
  readonly killed: number;
  /** SIGKILL to a worker at random that runs jobs, except the stopped one. None: no worker is killed. */
  killOne(): Promise<void>;
  /** SIGSTOP to the worker at a place. It is not killed before it goes on. */
  stop(place: number): { goOn(): void };
  /** SIGTERM to all. Resolves to their exit codes. */
  end(): Promise<(number | null)[]>;
}

/** Workers that start, or have no jobs for a moment, are waited for. */
const looksAtMost = 300;

/** Starts a worker for each place, with the environment of that place. */
export async function startFleet(
  jobs: BenchJobs,
  places: readonly Readonly<Record<string, string>>[],
): Promise<WorkerFleet> {
  let killed = 0;
  let stopped: number | undefined;
  let isOver = false;
  const workers = new Map<number, OwnedProcess>();
  const start = async (place: number): Promise<void> => {
    const worker = await jobs.start(`worker${place}`, { ROLE: 'worker', ...places[place] });
    workers.set(place, worker);
    void worker.exited.then(async () => {
      // As a supervisor does: also for one that could not start, because PostgreSQL was away.
      if (isOver) return;
      await delay(100);
      await start(place);
    });
  };
  for (const place of places.keys()) await start(place);
  const at = (place: number): OwnedProcess => placed(workers.get(place), place);
  return {
    get killed() {
      return killed;
    },
    killOne: async () => {
      const place = await findBusy(jobs, stopped);
      if (place === undefined) return;
      await at(place).kill();
      killed += 1;
    },
    stop: (place) => {
      const { pid } = at(place);
      process.kill(pid, 'SIGSTOP');
      stopped = place;
      return {
        goOn: () => {
          process.kill(pid, 'SIGCONT');
          stopped = undefined;
        },
      };
    },
    end: async () => {
      isOver = true;
      await Promise.all([...workers.values()].map((worker) => worker.stop()));
      return await Promise.all([...workers.values()].map(async ({ exited }) => (await exited).code));
    },
  };
}

function placed(worker: OwnedProcess | undefined, place: number): OwnedProcess {
  if (!worker) throw new Error(`There is no worker ${place}`);
  return worker;
}

/** One of the places, at random, whose workers hold jobs. While PostgreSQL is away, none is known. */
async function findBusy({ db }: BenchJobs, except: number | undefined): Promise<number | undefined> {
  for (let looks = 0; looks < looksAtMost; looks += 1) {
    const { rows } = await db
      .raw<{ rows: { place: string }[] }>(
        `SELECT DISTINCT substring(owner FROM '^worker([0-9]+)/') AS place FROM jobs.active WHERE fence IS NOT NULL`,
      )
      .catch(() => ({ rows: [] }));
    const busy = rows.map(({ place }) => Number(place)).filter((place) => place !== except);
    if (busy.length > 0) return busy[randomInt(busy.length)];
    await delay(10);
  }
  return undefined;
}
