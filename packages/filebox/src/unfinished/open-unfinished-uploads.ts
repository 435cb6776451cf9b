import type { Database } from '@waybill/postgres/database';
import type { BlobStores } from '../blobs/blob-store.ts';
import { type BlobStoresOptions, openBlobStores } from '../blobs/open-blob-stores.ts';
import { transact } from '../entries/transact.ts';
import { removeTaken, takeUpload } from './discard-upload.ts';
import type { SizedUpload, UnfinishedUploads } from './unfinished-uploads.ts';
import { isReachedSql, listBinding, readUploads, type StoredUpload } from './upload-rows.ts';

/** Uploads whose sizes are looked up at the same time. */
const sizedTogether = 32;

/** Opens the access of operators to unfinished uploads, with the stores of their bytes. */
export async function openUnfinishedUploads(
  options: { db: Database } & Pick<BlobStoresOptions, 'blobDir' | 'storageClasses' | 's3Credentials'>,
): Promise<UnfinishedUploads> {
  const { db, ...storage } = options;
  const stores = await openBlobStores(storage);
  return {
    list: async (query) => measure(stores, await readUploads(db, query)),
    discard: async (blobId, { ofUsers, within }) => {
      const bindings = { ofUsers: listBinding(ofUsers) };
      const taken = await transact(db, async (trx) => {
        const found = await takeUpload(trx, { blobId, condition: isReachedSql, bindings });
        if (found) await within(trx, found.upload);
        return found;
      });
      if (taken) await removeTaken({ db, stores }, taken);
      return taken?.upload;
    },
    [Symbol.asyncDispose]: () => stores[Symbol.asyncDispose](),
  };
}

/** A store that does not answer is asked no further. */
async function measure(stores: BlobStores, found: readonly StoredUpload[]): Promise<SizedUpload[]> {
  const silent = new Set<string>();
  const sizeOf = async ({ upload: { blobId }, storageClass }: StoredUpload): Promise<number | undefined> => {
    if (silent.has(storageClass)) return undefined;
    try {
      const store = await stores.named(storageClass);
      // It may be sealed, and about to be committed.
      return (await store.unsealedSize(blobId)) ?? (await store.sealedSize(blobId)) ?? 0;
    } catch {
      silent.add(storageClass);
      return undefined;
    }
  };
  const measured: SizedUpload[] = [];
  for (let from = 0; from < found.length; from += sizedTogether) {
    const some = found.slice(from, from + sizedTogether);
    measured.push(...(await Promise.all(some.map(async (one) => ({ ...one.upload, size: await sizeOf(one) })))));
  }
  return measured;
}
