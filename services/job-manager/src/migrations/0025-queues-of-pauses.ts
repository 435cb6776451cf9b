import type { Migration } from '@waybill/postgres/migrate';

/**
 * The queue that was paused: another queue can get its name later, and is not paused. Null: an older release has paused whatever queue
 * has the name.
 */
export const queuesOfPauses: Migration = {
  name: '0025_queues_of_pauses',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE jobs.queue_pauses ADD COLUMN queue_id bigint;
      UPDATE jobs.queue_pauses p SET queue_id = q.id FROM directory.job_queues q WHERE q.name = p.queue;
    `);
  },
};
