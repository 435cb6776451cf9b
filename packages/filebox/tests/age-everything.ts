import { lstat, readdir, utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Database } from '@waybill/postgres/database';

/** Ages everything in the filebox by 25 hours: leases, removals, and the files of its blobs. */
export async function ageEverything(db: Database, blobDir: string): Promise<void> {
  await db.raw(`UPDATE filebox.uploads SET lease_until = lease_until - interval '25 hours'`);
  await db.raw(`UPDATE filebox.blob_removals SET recorded_at = recorded_at - interval '25 hours'`);
  const then = new Date(Date.now() - 25 * 3_600_000);
  for (const name of await readdir(blobDir, { recursive: true })) {
    const path = join(blobDir, name);
    // A background removal may delete the file in between.
    const stats = await lstat(path).catch(() => undefined);
    if (stats?.isFile()) await utimes(path, then, then).catch(() => {});
  }
}
