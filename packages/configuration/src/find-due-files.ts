import { virtualFileSystemSchema } from '@waybill/contracts/configuration/storage-configuration';
import type { Change } from '@waybill/directory/apply/change';
import { countDueFiles } from '@waybill/filebox/retention/count-due-files';
import type { Database } from '@waybill/postgres/database';

/** Additional information: how many files the new retention of each VFS, by its id, deletes at once. */
export type DueFiles = ReadonlyMap<string, number>;

const retentionSchema = virtualFileSystemSchema.shape.retention;

/** How many files the retention of each VFS with a changed retention deletes at once. */
export async function findDueFiles(db: Database, changes: readonly Change[]): Promise<DueFiles> {
  const rules = changes.flatMap(({ entityType, entityId: vfsId, fields, definitions }) => {
    if (entityType !== 'VFS' || !fields.includes('retention')) return [];
    const retention = retentionSchema.parse(definitions?.after['retention']);
    return retention ? [{ vfsId, hoursAfterPut: retention.hoursAfterPut, hoursAfterGet: retention.hoursAfterGet }] : [];
  });
  return await countDueFiles(db, rules);
}
