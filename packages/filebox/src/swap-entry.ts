import { CodedError } from '@waybill/contracts/coded-error';
import type { DataflowContext } from '@waybill/contracts/dataflow-context';
import { nameOf, parseVirtualPath, type VirtualPath } from '@waybill/contracts/virtual-path';
import type { Transaction } from '@waybill/postgres/database';
import { entryColumns, fileOf, type FileRow } from './entry-row.ts';
import type { FileEntry } from './entry.ts';
import type { ParsedMetadata } from './system-metadata.ts';
import type { UploadOptions } from './upload.ts';

/** A sealed blob that is to become a file. */
export interface SealedUpload {
  vfsId: string;
  path: VirtualPath;
  /** Names the intent, and the bytes that were written. */
  blobId: string;
  /** The blob that the file gets: that one, or one which a file has already and which is held. */
  contentBlobId: string;
  holder: string;
  overwrite: boolean;
  inPlaceOf: UploadOptions['inPlaceOf'];
  size: number;
  sha256: Buffer;
  mediaType: string;
  metadata: ParsedMetadata;
  dfic: DataflowContext;
  modifiedAt: Date | undefined;
  /** Its name is not the one it is to have: it is announced when it is renamed. */
  temporaryName: boolean;
}

/** What a swap left behind. */
export interface SwappedEntry {
  file: FileEntry;
  /** The blob of the file that stood there before; it is on the list of removals. */
  replacedBlobId: string | undefined;
}

type Outcome = { held: boolean } & (
  | { id: null }
  | (FileRow & { folder_path: string; replaced_blob_id: string | null })
);

/**
 * Turns the intent of an upload into the file of its name, in one statement. A file that stood there is replaced in its
 * row: whoever comes second waits for the first and replaces it, as a whole. The folder is the one that the upload began
 * in, wherever it has been moved since. Prepared once per connection, as planning takes longer than running.
 * @throws CodedError `upload_incomplete`, `already_exists`, `precondition_failed`
 */
export async function swapEntry(trx: Transaction, upload: SealedUpload): Promise<SwappedEntry> {
  const { metadata, systemMetadata, expiresAt } = upload.metadata;
  const { rows } = await trx
    .raw<{ rows: Outcome[] }>(swapSql, {
      vfsId: upload.vfsId,
      blobId: upload.blobId,
      contentBlobId: upload.contentBlobId,
      holder: upload.holder,
      overwrite: upload.overwrite,
      replaceable: upload.inPlaceOf === 'anything' ? null : (upload.inPlaceOf ?? null),
      size: upload.size,
      sha256: upload.sha256,
      mediaType: upload.mediaType,
      metadata: JSON.stringify(metadata),
      systemMetadata: JSON.stringify(systemMetadata),
      expiresAt: expiresAt ?? null,
      dfic: JSON.stringify(upload.dfic),
      modifiedAt: upload.modifiedAt ?? null,
      unannounced: upload.temporaryName,
    })
    .options({ name: 'filebox swap entry' });
  const [row] = rows;
  const names = { path: upload.path, file: nameOf(upload.path) };
  if (!row?.held) throw new CodedError('upload_incomplete', { detail: 'The upload was given up meanwhile', names });
  // What was not put in place of a file is undone with the transaction.
  const isInPlace = row.id !== null && row.replaced_blob_id !== null;
  if (upload.inPlaceOf !== undefined && !isInPlace) throw new CodedError('precondition_failed', { names });
  if (row.id === null) throw new CodedError('already_exists', { names });
  const path = parseVirtualPath(`${row.folder_path === '/' ? '' : row.folder_path}/${row.name}`);
  return { file: fileOf(row, path), replacedBlobId: row.replaced_blob_id ?? undefined };
}

const swapSql = `
  WITH intent AS (
    DELETE FROM filebox.uploads WHERE blob_id = CAST(:blobId AS uuid) AND holder = CAST(:holder AS uuid)
    RETURNING parent_id, name, user_name, storage_class
  ), stored AS (
    INSERT INTO filebox.entries AS e (vfs_id, parent_id, kind, name, owner, modified_at, storage_class, blob_id, size,
      sha256, media_type, put_at, expires_at, metadata, system_metadata, dfic, unannounced)
    SELECT :vfsId, parent_id, 'file', name, user_name, COALESCE(CAST(:modifiedAt AS timestamptz), now()), storage_class,
      CAST(:contentBlobId AS uuid), CAST(:size AS bigint), CAST(:sha256 AS bytea), :mediaType, now(),
      CAST(:expiresAt AS timestamptz), CAST(:metadata AS jsonb), CAST(:systemMetadata AS jsonb), CAST(:dfic AS jsonb),
      CAST(:unannounced AS boolean)
    FROM intent
    ON CONFLICT (parent_id, name) DO UPDATE SET
      id = excluded.id, owner = excluded.owner, created_at = excluded.created_at, modified_at = excluded.modified_at,
      storage_class = excluded.storage_class, blob_id = excluded.blob_id, size = excluded.size,
      sha256 = excluded.sha256, media_type = excluded.media_type, put_at = excluded.put_at, first_read_at = NULL,
      last_read_at = NULL, expires_at = excluded.expires_at, metadata = excluded.metadata,
      system_metadata = excluded.system_metadata, dfic = excluded.dfic,
      unannounced = excluded.unannounced,
      replaced_blob_id = e.blob_id
    WHERE e.kind = 'file' AND :overwrite
      AND (CAST(:replaceable AS text[]) IS NULL OR encode(e.sha256, 'hex') = ANY (CAST(:replaceable AS text[])))
    RETURNING ${entryColumns}, replaced_blob_id
  ), unused AS (
    INSERT INTO filebox.blob_removals (blob_id, storage_class)
    SELECT CAST(:blobId AS uuid), storage_class FROM intent WHERE :blobId <> :contentBlobId
  )
  SELECT EXISTS (SELECT FROM intent) AS held, filebox.path_of(stored.parent_id) AS folder_path, stored.*
  FROM (SELECT 1) AS one LEFT JOIN stored ON true`;
