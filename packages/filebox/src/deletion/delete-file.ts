import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { nameOf, parentOf, segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { appendSelected } from '@waybill/outbox/append-selected-sql';
import type { Database, Queryable } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { BlobRemover } from '../blobs/blob-remover.ts';
import { entryColumnsOf, fileOf, type FileRow } from '../entries/entry-row.ts';
import { missingFileError } from '../entries/find-entry.ts';
import { repeatWhenHindered, transact } from '../entries/transact.ts';
import { writeCompanion } from '../entries/write-companion.ts';
import { entryRecordSql, recordBindings } from '../messages/entry-record-sql.ts';
import type { CompanionWrite } from '../model/companion-write.ts';
import type { FileEntry } from '../model/entry.ts';
import type { Origin } from '../model/origin.ts';

/** What deletion needs. */
export interface DeletionParts {
  db: Database;
  remover: BlobRemover;
  managerName: string;
}

/** Who deletes, and how. */
export interface DeletionOptions {
  origin: Origin;
  /** Blob ids of the uploads that the session has open at the path: they are deleted like a committed file. */
  open?: readonly string[];
  /** Called with the file before it is deleted; an error that it throws leaves everything unchanged. */
  check?: ((file: FileEntry) => void) | undefined;
  /** Written in the transaction that deletes the file; not if there are only uncommitted uploads of the user. */
  companion?: CompanionWrite | undefined;
}

/** The result of a deletion. */
export interface DeletedFile {
  /** Undefined if there were only uncommitted uploads of the user. */
  file: FileEntry | undefined;
  /** The open uploads that can no longer be committed. */
  removed: readonly string[];
}

interface Deletion extends DeletionOptions {
  vfsId: string;
  path: VirtualPath;
}

/**
 * Deletes a file, the user's own suspended uploads of its name, and the open uploads that belong to it. Throws as
 * `Filebox.deleteFile` does.
 */
export async function deleteFile(parts: DeletionParts, deletion: Deletion): Promise<DeletedFile> {
  const { db, remover } = parts;
  const { vfsId, path, check, companion } = deletion;
  const { file, removed, discarded } =
    check || companion
      ? await transact(db, async (trx) => {
          const taken = await take(trx, parts, deletion);
          if (taken.file) {
            check?.(taken.file);
            await writeCompanion(trx, companion, taken.file);
          }
          return taken;
        })
      : await repeatWhenHindered(() => take(db, parts, deletion));
  if (!file && removed.length === 0 && discarded.length === 0) {
    const missing = await missingFileError(db, vfsId, path);
    if (!isCodedError(missing, 'file_not_found') || !(await isUploading(db, deletion))) throw missing;
    throw new CodedError('upload_in_progress', { names: { file: nameOf(path) } });
  }
  for (const blobId of [...discarded, ...(file ? [file.blobId] : [])]) remover.removeSoon(blobId);
  return { file, removed };
}

type TakenRow = (FileRow | { id: null }) & { removed: string[]; given_up: string[] };

async function take(on: Queryable, { managerName }: DeletionParts, deletion: Deletion) {
  const { origin, open = [], path } = deletion;
  const row = await appendSelected(on, { atMost: 1, nodeId: origin.peerName }, async (given) => {
    const [result] = await runPrepared<TakenRow>(on, takeStatement, {
      ...placeOf(deletion),
      path,
      userName: origin.userName,
      open,
      ...recordBindings('fileDeleted', { origin, managerName }),
      ...given,
    });
    if (!result) throw new Error('a statement that returns one row returned none');
    return { result, appended: result.id === null ? 0 : 1 };
  });
  return { file: row.id === null ? undefined : fileOf(row, path), removed: row.removed, discarded: row.given_up };
}

/**
 * Running uploads that follow the file are removed with it, whichever session has them open. An upload to a path that
 * is now a folder is not found; an upload that is held elsewhere and does not follow the file is a separate version.
 */
const takeStatement = prepareStatement(
  'filebox delete file',
  `WITH place AS MATERIALIZED (
     SELECT filebox.entry_at(:vfsId, CAST(:parents AS text[])) AS folder_id, CAST(:name AS text) COLLATE "C" AS name
   ), taken AS (
     DELETE FROM filebox.entries e USING place
     WHERE e.parent_id = place.folder_id AND e.name = place.name AND e.kind = 'file'
     RETURNING e.*
   ), seen AS MATERIALIZED (
     SELECT folder_id, name FROM place WHERE NOT EXISTS (
       SELECT FROM filebox.entries e WHERE e.parent_id = place.folder_id AND e.name = place.name AND e.kind = 'folder'
     )
   ), belonging AS (
     SELECT u.blob_id FROM seen JOIN filebox.uploads u ON u.parent_id = seen.folder_id AND u.name = seen.name
     WHERE u.blob_id = ANY (CAST(:open AS uuid[]))
     UNION
     SELECT u.blob_id FROM seen JOIN filebox.uploads u ON u.parent_id = seen.folder_id AND u.name = seen.name
     WHERE u.follows_file AND u.lease_until >= now() AND EXISTS (SELECT FROM taken)
   ), removed AS (
     UPDATE filebox.uploads u SET removed = true, resumable = false, kept_until = now()
     FROM belonging WHERE u.blob_id = belonging.blob_id AND NOT u.removed
     RETURNING u.blob_id
   ), given_up AS (
     DELETE FROM filebox.uploads u USING seen
     WHERE u.parent_id = seen.folder_id AND u.name = seen.name AND u.user_name = :userName AND u.resumable
       AND u.lease_until < now() AND u.blob_id <> ALL (CAST(:open AS uuid[]))
     RETURNING u.blob_id, u.storage_class
   ), removals AS (
     INSERT INTO filebox.blob_removals (blob_id, storage_class) SELECT blob_id, storage_class FROM given_up
   ), told AS (
     ${entryRecordSql("SELECT id, CAST(:path AS text) AS path, dfic ->> 'dfiid' AS dfiid FROM taken")}
   )
   SELECT ARRAY(SELECT blob_id FROM removed) AS removed, ARRAY(SELECT blob_id FROM given_up) AS given_up, ${entryColumnsOf('taken')}
   FROM (SELECT 1) AS one LEFT JOIN taken ON true`,
);

async function isUploading(db: Database, deletion: Deletion): Promise<boolean> {
  const { rows } = await db.raw<{ rows: unknown[] }>(
    `SELECT FROM filebox.uploads
     WHERE parent_id = filebox.entry_at(:vfsId, CAST(:parents AS text[])) AND name = :name AND user_name = :userName
       AND resumable LIMIT 1`,
    { ...placeOf(deletion), userName: deletion.origin.userName },
  );
  return rows.length > 0;
}

function placeOf({ vfsId, path }: Pick<Deletion, 'vfsId' | 'path'>) {
  return { vfsId, parents: segmentsOf(parentOf(path)), name: nameOf(path) };
}
