import { describeConsequences } from '@waybill/configuration/describe-consequences';
import { findDueFiles } from '@waybill/configuration/find-due-files';
import type { ChangePreview } from '@waybill/contracts/endpoints/administration/configuration-views';
import type { RehearsedWrites } from '@waybill/directory/administration/write-entity';
import type { Database } from '@waybill/postgres/database';
import { presentChanges } from './present-changes.ts';

/** What changes would do, as it is shown: without passwords and possible secrets. */
export async function presentPreview(db: Database, { changes, uses, broken }: RehearsedWrites): Promise<ChangePreview> {
  const dueFiles = await findDueFiles(db, changes);
  return {
    changes: presentChanges(changes, new Set()),
    consequences: [...describeConsequences(changes, dueFiles), ...broken],
    uses: uses.map(({ actor, ...use }) => ({ ...use, ...(actor !== undefined && { actor }) })),
  };
}
