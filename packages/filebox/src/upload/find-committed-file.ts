import { segmentsOf } from '@waybill/contracts/values/virtual-path';
import type { Database } from '@waybill/postgres/database';
import { fileOf, type FileRow } from '../entries/entry-row.ts';
import type { FileEntry } from '../model/entry.ts';
import type { SealedUpload } from './sealed-upload.ts';

/**
 * The file that an upload was committed as, if it was: for a commit whose result was lost. An upload that shares
 * another file's blob is found by its path.
 */
export async function findCommittedFile(
  db: Database,
  { vfsId, path, blobId, contentBlobId }: Pick<SealedUpload, 'vfsId' | 'path' | 'blobId' | 'contentBlobId'>,
): Promise<FileEntry | undefined> {
  const { rows } = await db.raw<{ rows: FileRow[] }>(
    `SELECT * FROM filebox.entries
     WHERE blob_id = :contentBlobId
       AND (:contentBlobId = :blobId OR id = filebox.entry_at(:vfsId, CAST(:names AS text[])))
     ORDER BY id LIMIT 1`,
    { contentBlobId, blobId, vfsId, names: segmentsOf(path) },
  );
  return rows[0] && fileOf(rows[0], path);
}
