import type { Database } from '@waybill/postgres/database';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';

/** Reports the results of verifications of any process as metrics: see `verifyFiles`. */
export function reportVerifications({ db, metrics }: { db: Database; metrics: Metrics }): void {
  metrics.gauge({
    name: 'waybill_filebox_damaged_files',
    help: 'Files whose stored content was found damaged',
    collect: async (gauge) => {
      const { rows } = await db.raw<{ rows: { files: string }[] }>(
        'SELECT count(*) AS files FROM filebox.damaged_blobs d JOIN filebox.entries e USING (blob_id)',
      );
      gauge.set(Number(rows[0]?.files));
    },
  });
  metrics.gauge({
    name: 'waybill_filebox_verified_timestamp_seconds',
    help: 'When a verification of all files last finished; 0 if none has',
    collect: async (gauge) => {
      const { rows } = await db.raw<{ rows: { finished: string | null }[] }>(
        'SELECT extract(epoch FROM max(finished_at)) AS finished FROM filebox.verifications WHERE vfs_id IS NULL',
      );
      gauge.set(Number(rows[0]?.finished ?? 0));
    },
  });
}
