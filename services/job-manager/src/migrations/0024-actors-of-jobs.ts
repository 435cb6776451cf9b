import type { Migration } from '@waybill/postgres/migrate';

/**
 * The number of the actor of a job: the actor can be deleted while the job waits or runs, and another one get its name. Jobs
 * that there are have none, and are of the actor that had the name when they were created.
 */
export const actorsOfJobs: Migration = {
  name: '0024_actors_of_jobs',
  up: async (trx) => {
    await trx.raw('ALTER TABLE jobs.jobs ADD COLUMN actor_id bigint');
    await trx.raw('DROP FUNCTION jobs.read_active(bigint[])');
    await trx.raw(readActive);
  },
};

/** As `0011_cheaper_jobs` has it, which gives the reasons for the settings. */
const settings = 'SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET enable_bitmapscan = off';

/** The function of `0011_cheaper_jobs`, with the new column. */
const readActive = `
  CREATE FUNCTION jobs.read_active(ids bigint[])
  RETURNS TABLE (id bigint, status text, status_message text, created_at timestamptz, updated_at timestamptz,
    submitted_by text, queue text, actor text, contract text, contract_type text, contract_action text,
    contract_action_trigger text, workflow_template_id bigint, workflow_template_name text,
    workflow_template_revision integer, workflow_template_description text, steps jsonb, variables jsonb, file jsonb,
    vfs_id text, dfic jsonb, chain_depth integer, resubmission_of bigint, ext_ipid text,
    actor_id bigint)
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
      jobs.vfs_id, jobs.dfic, jobs.chain_depth, jobs.resubmission_of, jobs.ext_ipid,
      jobs.actor_id
    FROM unnest(ids) AS given CROSS JOIN LATERAL (
      SELECT * FROM jobs.active AS a WHERE a.job_id BETWEEN given AND given ORDER BY a.job_id LIMIT 1) AS active
    CROSS JOIN LATERAL (
      SELECT * FROM jobs.jobs AS j WHERE j.id BETWEEN given AND given AND j.id BETWEEN lowest AND highest
      ORDER BY j.id LIMIT 1) AS jobs;
  END $$;`;
