import type { Database } from '@waybill/postgres/database';
import type { Hold } from '../domain/job-ledger.ts';

/** Renews the leases of jobs; returns those that are still held. */
export async function renewLeases(db: Database, holds: readonly Hold[], leaseMs: number): Promise<Hold[]> {
  const { rows } = await db.raw<{ rows: { id: string; fence: string }[] }>(
    `UPDATE jobs.jobs SET lease_until = now() + :leaseMs * interval '1 millisecond'
     FROM unnest(CAST(:ids AS bigint[]), CAST(:fences AS bigint[])) AS held (id, fence)
     WHERE jobs.id = held.id AND jobs.fence = held.fence AND jobs.status = 'RUNNING'
     RETURNING jobs.id, jobs.fence`,
    { leaseMs, ids: holds.map(({ jobId }) => jobId), fences: holds.map(({ fence }) => fence) },
  );
  const renewed = new Set(rows.map(({ id, fence }) => `${id}/${fence}`));
  return holds.filter(({ jobId, fence }) => renewed.has(`${jobId}/${fence}`));
}
