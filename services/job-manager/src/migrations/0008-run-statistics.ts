import type { Migration } from '@waybill/postgres/migrate';

/**
 * How the runs of jobs went, by hour. A duty adds the endings that the history has got since the last time; it reads them by a
 * BRIN index, which costs the insert of a row next to nothing. `bucket` b of a duration is from 2^((b - 1) / 4) to 2^(b / 4) ms.
 */
export const runStatistics: Migration = {
  name: '0008_run_statistics',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE jobs.run_statistics (
        hour timestamptz NOT NULL,
        contract text NOT NULL,
        action text NOT NULL,
        queue text NOT NULL,
        completed bigint NOT NULL,
        failed bigint NOT NULL,
        aborted bigint NOT NULL,
        longest_ms double precision,
        last_at timestamptz(3) NOT NULL,
        last_job bigint NOT NULL,
        last_outcome text NOT NULL,
        failed_at timestamptz(3),
        failed_job bigint,
        failed_message text,
        PRIMARY KEY (hour, contract, action, queue)
      );
      CREATE TABLE jobs.run_durations (
        hour timestamptz NOT NULL,
        contract text NOT NULL,
        action text NOT NULL,
        queue text NOT NULL,
        measure text NOT NULL CHECK (measure IN ('run', 'wait')),
        bucket smallint NOT NULL,
        jobs bigint NOT NULL,
        PRIMARY KEY (hour, contract, action, queue, measure, bucket)
      );
      CREATE TABLE jobs.statistics_progress (
        counted_until timestamptz NOT NULL
      );
      INSERT INTO jobs.statistics_progress (counted_until) VALUES (clock_timestamp());
      CREATE INDEX history_at ON jobs.history USING brin (at) WITH (pages_per_range = 32, autosummarize = on);`);
  },
};
