import type { Transaction } from './database.ts';

/**
 * Makes PostgreSQL read by index until the transaction ends, for one that writes thousands of rows. For each row PostgreSQL looks
 * for those that it refers to, and that refer to it, with a plan that it keeps: one from when the table was small reads the whole
 * table each time, and no statistics of the rows that the transaction adds exist before it ends.
 */
export async function preferIndexes(trx: Transaction): Promise<void> {
  await trx.raw(settings);
}

/** What no index serves reads the table anyway; up to PostgreSQL 17 its cost seems to deserve compilation then. */
const settings = `
  DISCARD PLANS;
  SET LOCAL plan_cache_mode TO 'force_generic_plan';
  SET LOCAL enable_seqscan TO 'off';
  SET LOCAL enable_bitmapscan TO 'off';
  SET LOCAL jit TO 'off'`;
