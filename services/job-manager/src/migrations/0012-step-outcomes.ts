import type { Migration } from '@waybill/postgres/migrate';

/**
 * Steps that were skipped because of their condition, and steps that have failed while the job goes on. The constraint is left
 * out: it would read all steps, which can be very many, while no job runs; the statuses are those of `StepProgress`.
 */
export const stepOutcomes: Migration = {
  name: '0012_step_outcomes',
  up: async (trx) => {
    await trx.raw('ALTER TABLE jobs.steps DROP CONSTRAINT steps_status_check');
  },
};
