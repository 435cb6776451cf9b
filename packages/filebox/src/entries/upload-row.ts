import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { BlobStores } from '../blobs/blob-store.ts';
import type { UploadEntry } from '../model/entry.ts';

/** A resumable upload, as a row of `filebox.uploads`. */
export interface UploadRow {
  blob_id: string;
  storage_class: string;
  name: string;
  user_name: string;
  started_at: Date;
}

/** The entry of an uncommitted upload. Its size is that of its bytes, whichever process writes them. */
export async function uploadEntryOf(
  stores: BlobStores,
  { row, vfsId, path }: { row: UploadRow; vfsId: string; path: VirtualPath },
): Promise<UploadEntry> {
  const store = await stores.named(row.storage_class);
  return {
    kind: 'upload',
    vfsId,
    path,
    name: row.name,
    owner: row.user_name,
    createdAt: row.started_at,
    modifiedAt: row.started_at,
    blobId: row.blob_id,
    size: (await store.unsealedSize(row.blob_id)) ?? 0,
  };
}
