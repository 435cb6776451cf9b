import type { Migration } from '@waybill/postgres/migrate';

/** What a job costs besides its work: fewer round trips, and no plan that is made again for each statement. */
export const cheaperJobs: Migration = {
  name: '0011_cheaper_jobs',
  up: async (trx) => {
    await trx.raw(noteEffect);
    await trx.raw(readActive);
  },
};

/**
 * A plan serves all later calls, and must not read a whole table or index that was small when it was made. BETWEEN and the
 * order by number leave the primary key: with `=` alone, PostgreSQL may read all of another index that has the number.
 */
const settings = 'SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off';

/**
 * Notes what a step has changed, in the statement that changes it, so that neither needs a round trip of its own. It raises
 * an error, which undoes the change, if the worker no longer holds the job. It also locks the job until the commit: a
 * takeover or an abort waits for the change, and the reverse. Each statement in a function sees what was committed before
 * it, however long the statement that calls it had to wait.
 */
const noteEffect = `
  CREATE FUNCTION jobs.note_effect(job bigint, token bigint, step int, effect text, file bigint, outcome jsonb)
  RETURNS void LANGUAGE plpgsql ${settings} AS $$
  BEGIN
    WITH held AS (
      SELECT active.job_id FROM jobs.active
      WHERE active.job_id BETWEEN job AND job AND active.fence = token
      ORDER BY active.job_id FOR NO KEY UPDATE)
    INSERT INTO jobs.effects (job_id, position, name, fileset, result)
    SELECT held.job_id, step, effect, file, outcome FROM held;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'job % is no longer held by this worker', job USING ERRCODE = 'WBLST';
    END IF;
  END $$;`;

/**
 * Reads jobs that wait or run, each by its number. Of the partitions only those between the lowest and the highest number
 * are opened, which PostgreSQL cannot tell from an array.
 */
const readActive = `
  CREATE FUNCTION jobs.read_active(ids bigint[])
  RETURNS TABLE (id bigint, status text, status_message text, created_at timestamptz, updated_at timestamptz,
    submitted_by text, queue text, actor text, contract text, contract_type text, contract_action text,
    contract_action_trigger text, workflow_template_id bigint, workflow_template_name text,
    workflow_template_revision integer, workflow_template_description text, steps jsonb, variables jsonb, file jsonb,
    vfs_id text, dfic jsonb, chain_depth integer, resubmission_of bigint, ext_ipid text)
  LANGUAGE plpgsql STABLE ${settings} AS $$
  #variable_conflict use_column
  DECLARE
    lowest CONSTANT bigint := (SELECT min(given) FROM unnest(ids) AS given);
    highest CONSTANT bigint := (SELECT max(given) FROM unnest(ids) AS given);
  BEGIN
    RETURN QUERY
    SELECT jobs.id, active.status, active.status_message, jobs.created_at::timestamptz, active.updated_at::timestamptz,
      jobs.submitted_by, jobs.queue, jobs.actor, jobs.contract, jobs.contract_type, jobs.contract_action,
      jobs.contract_action_trigger, jobs.workflow_template_id, jobs.workflow_template_name,
      jobs.workflow_template_revision, jobs.workflow_template_description, jobs.steps, jobs.variables, jobs.file,
      jobs.vfs_id, jobs.dfic, jobs.chain_depth, jobs.resubmission_of, jobs.ext_ipid
    FROM unnest(ids) AS given CROSS JOIN LATERAL (
      SELECT * FROM jobs.active AS a WHERE a.job_id BETWEEN given AND given ORDER BY a.job_id LIMIT 1) AS active
    CROSS JOIN LATERAL (
      SELECT * FROM jobs.jobs AS j WHERE j.id BETWEEN given AND given AND j.id BETWEEN lowest AND highest
      ORDER BY j.id LIMIT 1) AS jobs;
  END $$;`;
