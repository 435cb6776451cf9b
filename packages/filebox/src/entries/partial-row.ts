import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { BlobStores } from '../blobs/blob-stores.ts';
import type { PartialFileEntry } from '../model/entry.ts';

/** A resumable upload as the table `filebox.uploads` has it. */
export interface PartialRow {
  blob_id: string;
  storage_class: string;
  name: string;
  user_name: string;
  started_at: Date;
}

/** The entry of an unfinished upload. Its size is that of its bytes, whichever process writes them. */
export async function partialOf(
  stores: BlobStores,
  { row, vfsId, path }: { row: PartialRow; vfsId: string; path: VirtualPath },
): Promise<PartialFileEntry> {
  const store = await stores.named(row.storage_class);
  return {
    kind: 'partial',
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
