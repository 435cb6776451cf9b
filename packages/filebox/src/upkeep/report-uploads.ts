import type { Database } from '@waybill/postgres/database';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';

const states = ['running', 'interrupted'] as const;

/** Reports, at each call, how many uploads are not finished, and how long the oldest of them have not been. */
export function createUploadReport({ db, metrics }: { db: Database; metrics: Metrics }): () => Promise<void> {
  const labels = ['state'] as const;
  const count = metrics.gauge({
    name: 'waybill_filebox_unfinished_uploads',
    help: 'Uploads that are not files yet: running, or interrupted and waiting to be resumed',
    labels,
  });
  const age = metrics.gauge({
    name: 'waybill_filebox_oldest_unfinished_upload_seconds',
    help: 'How long ago the oldest of these uploads began; 0 without any',
    labels,
  });
  return async () => {
    const { rows } = await db.raw<{ rows: { state: string; uploads: number; seconds: number }[] }>(
      `SELECT CASE WHEN lease_until >= now() THEN 'running' ELSE 'interrupted' END AS state,
         CAST(count(*) AS int) AS uploads, CAST(EXTRACT(epoch FROM now() - min(started_at)) AS float8) AS seconds
       FROM filebox.uploads WHERE NOT removed GROUP BY 1`,
    );
    for (const state of states) {
      const found = rows.find((row) => row.state === state);
      count.set({ state }, found?.uploads ?? 0);
      age.set({ state }, Math.max(0, found?.seconds ?? 0));
    }
  };
}
