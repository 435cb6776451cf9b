import type { Database, Queryable } from '@waybill/postgres/database';
import type { BlobStores } from '../blobs/blob-store.ts';
import { storedUploadOf, type StoredUpload, type UnfinishedUploadRow, uploadColumns } from './upload-rows.ts';

/** Which upload to take out of the index: a condition on its row `u`, with its parameters. */
interface Taking {
  readonly blobId: string;
  readonly condition: string;
  readonly bindings?: Readonly<Record<string, unknown>>;
}

/**
 * Takes an upload out of the index, even if its lease is held, and puts its blob on the list of removals. From the commit of the
 * transaction on, nobody can write, resume or commit it. Undefined if there is no such upload.
 */
export async function takeUpload(
  on: Queryable,
  { blobId, condition, bindings = {} }: Taking,
): Promise<StoredUpload | undefined> {
  const { rows } = await on.raw<{ rows: UnfinishedUploadRow[] }>(
    `WITH gone AS (
       DELETE FROM filebox.uploads u WHERE u.blob_id = CAST(:blobId AS uuid) AND ${condition} RETURNING ${uploadColumns}
     ), removals AS (
       INSERT INTO filebox.blob_removals (blob_id, storage_class) SELECT blob_id, storage_class FROM gone
     )
     SELECT * FROM gone`,
    { blobId, ...bindings },
  );
  return rows[0] && storedUploadOf(rows[0]);
}

/** Removes the bytes of an upload that was taken out of the index, immediately in every store: it never had readers. */
export async function removeTaken(
  { db, stores }: { db: Database; stores: BlobStores },
  { upload: { blobId }, storageClass }: StoredUpload,
): Promise<void> {
  try {
    await (await stores.named(storageClass)).remove(blobId);
    await db.raw('DELETE FROM filebox.blob_removals WHERE blob_id = ?', [blobId]);
  } catch {
    // It stays on the list of removals.
  }
}
