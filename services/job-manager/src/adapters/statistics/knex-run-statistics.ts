import type { Queryable } from '@waybill/postgres/database';
import type {
  CountedRuns,
  HourCounts,
  HourDurations,
  RunDurations,
  RunStatisticsStore,
} from '../../domain/statistics/run-statistics.ts';

/** The counts of ended jobs in PostgreSQL. */
export function createRunStatisticsStore(db: Queryable): RunStatisticsStore {
  return {
    countedUntil: async () => {
      const { rows } = await db.raw<{ rows: { at: Date }[] }>(
        'SELECT coalesce(min(counted_until), clock_timestamp()) AS at FROM jobs.statistics_progress',
      );
      return rows[0]?.at ?? new Date();
    },
    runs: async ({ from, to }) => {
      const { rows } = await db.raw<{ rows: CountedRuns[] }>(runs, [from, to]);
      return rows;
    },
    durations: async ({ from, to }) => {
      const { rows } = await db.raw<{ rows: RunDurations[] }>(durations, [from, to]);
      return rows;
    },
    countsOfHours: async ({ from, to }) => {
      const { rows } = await db.raw<{ rows: HourCounts[] }>(countsOfHours, [from, to]);
      return rows;
    },
    durationsOfHours: async ({ from, to }) => {
      const { rows } = await db.raw<{ rows: HourDurations[] }>(durationsOfHours, [from, to]);
      return rows;
    },
  };
}

const runs = `
  SELECT contract, action, queue, sum(completed)::float8 AS completed, sum(failed)::float8 AS failed,
    sum(aborted)::float8 AS aborted, max(longest_ms) AS "longestMs", max(last_at) AS "lastAt",
    (array_agg(last_job::float8 ORDER BY last_at DESC))[1] AS "lastJob",
    (array_agg(last_outcome ORDER BY last_at DESC))[1] AS "lastOutcome", max(failed_at) AS "failedAt",
    (array_agg(failed_job::float8 ORDER BY failed_at DESC NULLS LAST))[1] AS "failedJob",
    (array_agg(failed_message ORDER BY failed_at DESC NULLS LAST))[1] AS "failedMessage"
  FROM jobs.run_statistics WHERE hour >= ? AND hour < ?
  GROUP BY contract, action, queue ORDER BY contract, action, queue`;

const durations = `
  SELECT contract, action, queue, measure, bucket, sum(jobs)::float8 AS jobs
  FROM jobs.run_durations WHERE hour >= ? AND hour < ? GROUP BY contract, action, queue, measure, bucket`;

const countsOfHours = `
  SELECT hour, sum(completed)::float8 AS completed, sum(failed)::float8 AS failed, sum(aborted)::float8 AS aborted
  FROM jobs.run_statistics WHERE hour >= ? AND hour < ? GROUP BY hour ORDER BY hour`;

const durationsOfHours = `
  SELECT hour, bucket, sum(jobs)::float8 AS jobs
  FROM jobs.run_durations WHERE hour >= ? AND hour < ? AND measure = 'run' GROUP BY hour, bucket`;
