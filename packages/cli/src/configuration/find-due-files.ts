import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { Change } from '@waybill/directory/apply/change';
import { countDueFiles } from '@waybill/filebox/retention/count-due-files';
import type { Database } from '@waybill/postgres/database';
import type { DueFiles } from './describe-changes.ts';

/** How many files the retention of each VFS with a changed retention deletes at once. */
export async function findDueFiles(
  db: Database,
  { actors }: PlatformConfiguration,
  changes: readonly Change[],
): Promise<DueFiles> {
  const due = new Map<string, number>();
  for (const { entityType, entityId: vfsId, entityName, fields, definitions } of changes) {
    if (entityType !== 'VFS' || !fields.includes('retention')) continue;
    const actor = actors.find(({ name }) => name === definitions?.after['actor']);
    const retention = actor?.virtualFileSystems.find(({ name }) => name === entityName)?.retention;
    if (!retention) continue;
    const { hoursAfterPut, hoursAfterGet } = retention;
    due.set(vfsId, await countDueFiles(db, { vfsId, hoursAfterPut, hoursAfterGet }));
  }
  return due;
}
