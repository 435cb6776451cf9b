import type { Migration } from '@waybill/postgres/migrate';

/**
 * Operators' pauses of queues. They belong to the name of a queue, not to the configuration. `message` is what the jobs
 * of the queue wait for. `jobs.without_paused` closes the paused ones among the queues that a worker claims from, so that a
 * pause is in force from its commit on, and not when a worker has heard of it.
 */
export const queuePauses: Migration = {
  name: '0008_queue_pauses',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE jobs.queue_pauses (
        queue text PRIMARY KEY,
        paused_by text NOT NULL,
        paused_at timestamptz(3) NOT NULL,
        reason text NOT NULL,
        message text NOT NULL
      );
      CREATE FUNCTION jobs.without_paused(queues jsonb) RETURNS jsonb LANGUAGE sql STABLE AS $$
        SELECT CASE WHEN EXISTS (SELECT FROM jobs.queue_pauses)
          THEN (
            SELECT coalesce(jsonb_agg(
              CASE WHEN EXISTS (SELECT FROM jobs.queue_pauses WHERE queue_pauses.queue = known ->> 'name')
                THEN known || '{"enabled": false}' ELSE known END), '[]')
            FROM jsonb_array_elements(queues) AS known)
          ELSE queues END $$;`);
  },
};
