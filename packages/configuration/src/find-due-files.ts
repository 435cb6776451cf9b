import { virtualFileSystemSchema } from '@waybill/contracts/configuration/storage-configuration';
import type { Change } from '@waybill/directory/apply/change';
import { countDueFiles } from '@waybill/filebox/retention/count-due-files';
import type { Database } from '@waybill/postgres/database';

/** Additional information: how many files the new retention of each VFS, by its id, deletes at once. */
export type DueFiles = ReadonlyMap<string, number>;

const retentionSchema = virtualFileSystemSchema.shape.retention;

/** How many files the retention of each VFS with a changed retention deletes at once. */
export async function findDueFiles(db: Database, changes: readonly Change[]): Promise<DueFiles> {
  const due = new Map<string, number>();
  for (const { entityType, entityId: vfsId, fields, definitions } of changes) {
    if (entityType !== 'VFS' || !fields.includes('retention')) continue;
    const retention = retentionSchema.parse(definitions?.after['retention']);
    if (!retention) continue;
    const { hoursAfterPut, hoursAfterGet } = retention;
    due.set(vfsId, await countDueFiles(db, { vfsId, hoursAfterPut, hoursAfterGet }));
  }
  return due;
}
