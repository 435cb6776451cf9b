import type { Database } from '@waybill/postgres/database';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';

interface UsageRow {
  name: string;
  bytes: string;
  files: string;
  folders: string;
  max_bytes: string | null;
  max_files: string | null;
  max_folders: string | null;
}

const kinds = ['bytes', 'files', 'folders'] as const;

/** Reports, at each call, the usage of every VFS with limits. Usage of others is not counted. */
export function createUsageReport({ db, metrics }: { db: Database; metrics: Metrics }): () => Promise<void> {
  const used = metrics.gauge({
    name: 'waybill_filebox_vfs_used',
    help: 'Bytes, files and folders in a VFS with limits, including what running uploads have reserved',
    labels: ['vfs', 'kind'],
  });
  const limit = metrics.gauge({
    name: 'waybill_filebox_vfs_limit',
    help: 'Bytes, files and folders that a VFS may hold',
    labels: ['vfs', 'kind'],
  });
  return async () => {
    const { rows } = await db.raw<{ rows: UsageRow[] }>('SELECT * FROM filebox.vfs_limits ORDER BY vfs_id');
    used.reset();
    limit.reset();
    for (const row of rows) {
      for (const kind of kinds) {
        used.set({ vfs: row.name, kind }, Number(row[kind]));
        const most = row[`max_${kind}`];
        if (most !== null) limit.set({ vfs: row.name, kind }, Number(most));
      }
    }
  };
}
