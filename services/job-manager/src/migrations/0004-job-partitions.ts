import type { Migration } from '@waybill/postgres/migrate';
import { closeRange, dropRange, prepareRanges, privileges } from './0004-range-functions.ts';

/**
 * Divides what is kept of jobs into ranges of a million numbers, so that retention drops tables instead of deleting rows.
 * All tables that are partitioned by the job's number have the same ranges, and lose them together: foreign keys between
 * them would keep nothing true that this does not, and every drop would have to check them. `active` is not partitioned:
 * its rows leave it by themselves, and a range is kept as long as one of its jobs is there.
 *
 * A unique index of a partitioned table cannot span its ranges: what must be unique for ever, a submission as well as the
 * start of an action by an event, is a row of `idempotency_keys`, which retention leaves alone.
 */
export const jobPartitions: Migration = {
  name: '0004_job_partitions',
  up: async (trx) => {
    // There may be millions of jobs to move.
    await trx.raw('SET LOCAL statement_timeout = 0');
    await trx.raw(setAside);
    await trx.raw(tables);
    await trx.raw(prepareRanges);
    await trx.raw(beginRanges);
    await trx.raw(moveRows);
    await trx.raw(keysOfEvents);
    await trx.raw(indexes);
    await trx.raw(closeRange);
    await trx.raw(dropRange);
    await trx.raw(privileges);
  },
};

const setAside = `
  ALTER TABLE jobs.active DROP CONSTRAINT active_job_id_fkey;
  ALTER SEQUENCE jobs.job_ids OWNED BY NONE;
  ALTER TABLE jobs.jobs RENAME TO old_jobs;
  ALTER TABLE jobs.ended RENAME TO old_ended;
  ALTER TABLE jobs.steps RENAME TO old_steps;
  ALTER TABLE jobs.effects RENAME TO old_effects;
  ALTER TABLE jobs.history RENAME TO old_history;`;

/** No number may be kept for later use (`CACHE`): a range is closed when those that have a number of it have ended. */
const tables = `
  CREATE TABLE jobs.jobs (LIKE jobs.old_jobs INCLUDING DEFAULTS INCLUDING GENERATED INCLUDING CONSTRAINTS)
    PARTITION BY RANGE (id);
  CREATE TABLE jobs.ended (LIKE jobs.old_ended INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (job_id);
  CREATE TABLE jobs.steps (LIKE jobs.old_steps INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (job_id);
  CREATE TABLE jobs.effects (LIKE jobs.old_effects INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (job_id);
  CREATE TABLE jobs.history (LIKE jobs.old_history INCLUDING DEFAULTS INCLUDING CONSTRAINTS) PARTITION BY RANGE (job_id);
  ALTER SEQUENCE jobs.job_ids OWNED BY jobs.jobs.id CACHE 1;
  CREATE SEQUENCE jobs.history_ids OWNED BY jobs.history.id;
  ALTER TABLE jobs.history ALTER COLUMN id SET DEFAULT nextval('jobs.history_ids');`;

const beginRanges = `
  DO $$
  BEGIN
    FOR number IN
      (SELECT coalesce(min(id), 0) / 1000000 FROM jobs.old_jobs) .. (SELECT last_value / 1000000 FROM jobs.job_ids)
    LOOP
      EXECUTE format('CREATE TABLE jobs.%I PARTITION OF jobs.jobs FOR VALUES FROM (%s) TO (%s)',
        'jobs_' || number, number * 1000000, (number + 1) * 1000000);
    END LOOP;
  END $$;
  SELECT jobs.prepare_ranges(2);`;

const moveRows = `
  DO $$
  DECLARE
    columns CONSTANT text := (
      SELECT string_agg(quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute
      WHERE attrelid = 'jobs.jobs'::regclass AND attnum > 0 AND NOT attisdropped AND attgenerated = '');
  BEGIN
    EXECUTE format('INSERT INTO jobs.jobs (%1$s) SELECT %1$s FROM jobs.old_jobs ORDER BY id', columns);
  END $$;
  INSERT INTO jobs.ended SELECT * FROM jobs.old_ended ORDER BY job_id;
  INSERT INTO jobs.steps SELECT * FROM jobs.old_steps ORDER BY job_id, position;
  INSERT INTO jobs.effects SELECT * FROM jobs.old_effects ORDER BY job_id;
  INSERT INTO jobs.history SELECT * FROM jobs.old_history ORDER BY id;
  SELECT setval('jobs.history_ids', (SELECT coalesce(max(id), 0) + 1 FROM jobs.old_history), false);
  DROP TABLE jobs.old_ended, jobs.old_steps, jobs.old_effects, jobs.old_history, jobs.old_jobs;`;

/** The same texts as \`computeEventKey\`: what JSON.stringify makes of a text, to_json does. */
const keysOfEvents = `
  INSERT INTO jobs.idempotency_keys (key, job_id)
  SELECT sha256(convert_to('{"event":' || to_json(event_id)::text || ',"contract":' || to_json(contract)::text
    || ',"action":' || to_json(contract_action)::text || '}', 'UTF8')), id
  FROM jobs.jobs WHERE event_id IS NOT NULL;`;

/** One for each filter and order of a listing; each ends in the number, so that a page of any value is read in order. */
const indexes = `
  ALTER TABLE jobs.jobs ADD PRIMARY KEY (id);
  ALTER TABLE jobs.ended ADD PRIMARY KEY (job_id);
  ALTER TABLE jobs.steps ADD PRIMARY KEY (job_id, position);
  ALTER TABLE jobs.effects ADD PRIMARY KEY (job_id, position, name);
  ALTER TABLE jobs.history ADD PRIMARY KEY (job_id, id);
  CREATE INDEX effects_fileset ON jobs.effects (fileset);
  CREATE INDEX ended_status ON jobs.ended (status, job_id);
  CREATE INDEX ended_updated ON jobs.ended (updated_at, job_id);
  CREATE INDEX jobs_contract ON jobs.jobs (contract, id);
  CREATE INDEX jobs_dfiid ON jobs.jobs (dfiid);
  CREATE INDEX jobs_lcid ON jobs.jobs (lcid);
  CREATE INDEX jobs_ext_ipid ON jobs.jobs (ext_ipid) WHERE ext_ipid IS NOT NULL;
  CREATE INDEX jobs_queue ON jobs.jobs (queue, id);
  CREATE INDEX jobs_template ON jobs.jobs (workflow_template_id, id);
  CREATE INDEX jobs_template_name ON jobs.jobs (workflow_template_name, id);
  CREATE INDEX jobs_template_revision ON jobs.jobs (workflow_template_revision, id);
  CREATE INDEX jobs_created ON jobs.jobs (created_at, id);
  CREATE INDEX jobs_submitted_by ON jobs.jobs (submitted_by, id);
  CREATE INDEX jobs_actor ON jobs.jobs (actor, id);
  CREATE INDEX jobs_action ON jobs.jobs (contract_action, id);
  CREATE INDEX jobs_type ON jobs.jobs (contract_type, id);
  CREATE INDEX jobs_trigger ON jobs.jobs (contract_action_trigger, id);`;
