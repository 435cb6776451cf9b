import { CodedError, isCodedError } from '@waybill/contracts/coded-error';
import { nameOf, parentOf, segmentsOf, type VirtualPath } from '@waybill/contracts/virtual-path';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Transaction } from '@waybill/postgres/database';
import { auditMessage } from './audit-message.ts';
import type { BlobRemover } from './blob-remover.ts';
import { fileOf, type FileRow } from './entry-row.ts';
import type { FileEntry } from './entry.ts';
import { missingFileError } from './missing-file-error.ts';
import type { Origin } from './origin.ts';
import { transact } from './transact.ts';

/** What deleting works with. */
export interface DeletionParts {
  db: Database;
  remover: BlobRemover;
  managerName: string;
}

/** What is to be deleted, and by whom. */
export interface Deletion {
  vfsId: string;
  path: VirtualPath;
  origin: Origin;
  /** Looks at the file before it is gone; what it throws leaves all as it was. */
  check?: ((file: FileEntry) => void) | undefined;
}

/** Deletes a file and the user's own interrupted uploads of its name. Throws what `Filebox.deleteFile` says. */
export async function deleteFile(parts: DeletionParts, deletion: Deletion): Promise<FileEntry | undefined> {
  const { db, remover, managerName } = parts;
  const { vfsId, path, origin, check } = deletion;
  const { file, partials } = await transact(db, async (trx) => {
    const partials = await takePartials(trx, deletion);
    const file = await takeFile(trx, deletion);
    if (file) check?.(file);
    if (file) await appendToOutbox(trx, [auditMessage({ fact: 'fileDeleted', entry: file, origin, managerName })]);
    return { file, partials };
  });
  if (!file && partials.length === 0) {
    const missing = await missingFileError(db, vfsId, path);
    if (!isCodedError(missing, 'file_not_found') || !(await isUploading(db, deletion))) throw missing;
    throw new CodedError('upload_in_progress', { names: { file: nameOf(path) } });
  }
  for (const blobId of [...partials, ...(file ? [file.blobId] : [])]) remover.removeSoon(blobId);
  return file;
}

async function takeFile(trx: Transaction, deletion: Deletion): Promise<FileEntry | undefined> {
  const { rows } = await trx.raw<{ rows: FileRow[] }>(
    `DELETE FROM filebox.entries
     WHERE parent_id = filebox.entry_at(:vfsId, CAST(:parents AS text[])) AND name = :name AND kind = 'file'
     RETURNING *`,
    placeOf(deletion),
  );
  return rows[0] && fileOf(rows[0], deletion.path);
}

/** Behind a folder of their name they are not seen. */
async function takePartials(trx: Transaction, deletion: Deletion): Promise<string[]> {
  const { rows } = await trx.raw<{ rows: { blob_id: string }[] }>(
    `WITH gone AS (
       DELETE FROM filebox.uploads u
       WHERE parent_id = filebox.entry_at(:vfsId, CAST(:parents AS text[])) AND name = :name AND user_name = :userName
         AND resumable AND lease_until < now() AND NOT EXISTS (
           SELECT FROM filebox.entries e WHERE e.parent_id = u.parent_id AND e.name = u.name AND e.kind = 'folder'
         )
       RETURNING blob_id, storage_class
     )
     INSERT INTO filebox.blob_removals (blob_id, storage_class) SELECT blob_id, storage_class FROM gone
     RETURNING blob_id`,
    { ...placeOf(deletion), userName: deletion.origin.userName },
  );
  return rows.map(({ blob_id: blobId }) => blobId);
}

async function isUploading(db: Database, deletion: Deletion): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `SELECT FROM filebox.uploads
     WHERE parent_id = filebox.entry_at(:vfsId, CAST(:parents AS text[])) AND name = :name AND user_name = :userName
       AND resumable LIMIT 1`,
    { ...placeOf(deletion), userName: deletion.origin.userName },
  );
  return rows.length > 0;
}

function placeOf({ vfsId, path }: Deletion) {
  return { vfsId, parents: segmentsOf(parentOf(path)), name: nameOf(path) };
}
