import type { Transaction } from '@waybill/postgres/database';
import { companionSql, type CompanionWrite } from '../model/companion-write.ts';
import type { FileEntry, FolderEntry } from '../model/entry.ts';

/**
 * Evaluates the expression of a caller for an entry that the transaction has changed, whose rows are locked by then. The SHA-256
 * of a folder is empty, its size 0.
 */
export async function writeCompanion(
  trx: Transaction,
  companion: CompanionWrite | undefined,
  entry: Pick<FileEntry, 'kind' | 'id' | 'size' | 'sha256'> | Pick<FolderEntry, 'kind' | 'id'>,
): Promise<void> {
  if (!companion) return;
  const [size, sha256] = entry.kind === 'file' ? [entry.size, entry.sha256] : [0, ''];
  await trx.raw(
    `SELECT ${companionSql(companion, 'entry')}
     FROM (SELECT CAST(:changedId AS bigint) AS id, CAST(:changedSize AS bigint) AS size,
       decode(:changedSha256, 'hex') AS sha256) AS entry`,
    { ...companion.bindings, changedId: entry.id, changedSize: size, changedSha256: sha256 },
  );
}
