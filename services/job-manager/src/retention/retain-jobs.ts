import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@waybill/postgres/database';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import {
  closeRange,
  countPreparedNumbers,
  dropRange,
  type ExpiredRange,
  listExpiredRanges,
  prepareRanges,
  rangeSize,
} from '../adapters/retention/job-ranges.ts';
import type { Config, JobSite } from '../config.ts';
import type { Duty } from '../worker/duties.ts';

/** How long ended jobs are kept, in days. */
export interface JobRetention {
  /** 0: for ever. */
  readonly keptDays: number;
  /** A range is closed after so long; `undefined`: only when it is full. */
  readonly periodDays: number | undefined;
}

/** The settings of the retention of jobs: by default, there are about twelve ranges at a time. */
export function retentionOf({ JOB_RETENTION_DAYS: keptDays, JOB_PARTITION_DAYS: period }: Config): JobRetention {
  return { keptDays, periodDays: period ?? (keptDays === 0 ? undefined : Math.ceil(keptDays / 12)) };
}

/**
 * Keeps the ranges ready that the next jobs need. Every process that creates jobs does so, and does it once before it
 * creates the first: no other process has to run.
 */
export async function startRangeDuty(db: Database): Promise<Duty> {
  const work = (): Promise<void> => prepareRanges(db);
  await work();
  return { name: 'prepare ranges of jobs', intervalMs: 60_000, work };
}

/** The parts of the retention of jobs. */
export interface RetentionParts {
  readonly db: Database;
  readonly site: JobSite;
  readonly retention: JobRetention;
  readonly intervalMs: number;
  readonly logger: Logger;
  readonly metrics: Metrics;
}

/** Closes the range of a period that is over, and drops the ranges whose jobs have been kept for long enough. */
export function createRetentionDuty({ db, site, retention, intervalMs, logger, metrics }: RetentionParts): Duty {
  const events = createRetentionEvents(db, logger, metrics);
  const { keptDays, periodDays } = retention;
  const work = async (): Promise<void> => {
    if (periodDays !== undefined && (await closeRange(db, periodDays))) events.rangeClosed(periodDays);
    if (keptDays === 0) return;
    for (const range of await listExpiredRanges(db, keptDays)) {
      const isDropped = await insist((patienceMs) => dropRange(db, range, { site, keptDays, patienceMs }));
      if (isDropped) events.rangeDropped(range);
    }
  };
  return { name: 'retention of jobs', intervalMs, work };
}

/** In milliseconds. Each try may delay others that long; between the tries they go on. */
const patience = [2, 5, 10, 20, 50, 50, 100, 100, 100, 100] as const;
const pauseMs = 200;

/** Tries to get locks that others need, without holding them up. @throws the last failure; the next round tries again */
async function insist<T>(attempt: (patienceMs: number) => Promise<T>): Promise<T> {
  for (const patienceMs of patience) {
    try {
      return await attempt(patienceMs);
    } catch (error) {
      if (!isLockTimeout(error) || patienceMs === patience.at(-1)) throw error;
      await sleep(pauseMs);
    }
  }
  throw new Error('There is no attempt');
}

function isLockTimeout(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === '55P03' || error.code === '40P01');
}

function createRetentionEvents(db: Database, logger: Logger, metrics: Metrics) {
  const ranges = metrics.counter({
    name: 'waybill_job_ranges_dropped_total',
    help: 'Ranges of a million job numbers that retention has dropped',
  });
  const jobs = metrics.counter({ name: 'waybill_jobs_removed_total', help: 'Ended jobs that retention has removed' });
  metrics.gauge({
    name: 'waybill_job_numbers_prepared',
    help: 'Jobs that can be created before another range of numbers is needed',
    collect: async (gauge) => gauge.set(await countPreparedNumbers(db)),
  });
  return {
    rangeClosed: (periodDays: number) => logger.info({ periodDays }, 'a range of job numbers was closed'),
    rangeDropped: ({ number, jobs: count, newest }: ExpiredRange) => {
      ranges.inc();
      jobs.inc(count);
      logger.info({ first: number * rangeSize, count, newest }, 'a range of ended jobs was removed');
    },
  };
}
