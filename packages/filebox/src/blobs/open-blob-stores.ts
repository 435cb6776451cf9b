import { localStorageClass, type StorageClass } from '@waybill/contracts/configuration/storage-class';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { S3Credentials } from '@waybill/service-kit/config/s3-config';
import type { StorageClasses } from '../model/storage.ts';
import type { BlobStore, BlobStores } from './blob-store.ts';
import { openLocalBlobStore, type LocalBlobStoreOptions } from './local/local-blob-store.ts';
import { spoolDirIn } from './local/spool-file.ts';
import type { CommitObserver } from './upload-step.ts';

/** How to open the stores. */
export interface BlobStoresOptions {
  /** Folder of the class `local`, and of bytes for S3 that arrive out of order. */
  blobDir: string;
  /** Default: `local` only. */
  storageClasses?: StorageClasses | undefined;
  /** For S3; default: the AWS SDK's credential chain. */
  s3Credentials?: S3Credentials | undefined;
  /** Creates nothing on a disk: `service_unavailable` if a folder is missing. */
  mustExist?: boolean;
  /** See `FileboxOptions`. */
  hashesAside?: boolean | undefined;
  observe?: CommitObserver | undefined;
}

/** The stores of all classes. `local` is opened immediately, the others when they are needed. */
export async function openBlobStores(options: BlobStoresOptions): Promise<BlobStores> {
  const { blobDir, storageClasses = onlyLocal, mustExist = false, hashesAside, observe = () => {} } = options;
  const { s3Credentials: credentials } = options;
  const local = await openLocalBlobStore({ dir: blobDir, mustExist, hashesAside, observe });
  // The key is the whole definition of a class: if its endpoint changes, the class is opened again, and running
  // transfers keep the old one.
  const opened = new Map<string, Promise<BlobStore>>();

  const openOther = (storageClass: StorageClass): Promise<BlobStore> => {
    const key = JSON.stringify(storageClass);
    const known = opened.get(key);
    if (known) return known;
    const store = openStore(storageClass, {
      spoolDir: spoolDirIn(blobDir),
      credentials,
      mustExist,
      hashesAside,
      observe,
    });
    opened.set(key, store);
    store.catch(() => opened.delete(key));
    return store;
  };
  const named = async (name: string): Promise<BlobStore> => {
    if (name === localStorageClass) return local;
    const storageClass = (await storageClasses.listStorageClasses()).find((known) => known.name === name);
    if (storageClass) return openOther(storageClass);
    throw new CodedError('service_unavailable', { cause: new Error(`there is no storage class ${name}`) });
  };

  return {
    named,
    ofVfs: async (vfsId) => named(await storageClasses.storageClassOf(vfsId)),
    names: async () => [localStorageClass, ...(await storageClasses.listStorageClasses()).map(({ name }) => name)],
    [Symbol.asyncDispose]: async () => {
      for (const store of await Promise.allSettled(opened.values())) {
        if (store.status === 'fulfilled') await store.value[Symbol.asyncDispose]();
      }
      await local[Symbol.asyncDispose]();
    },
  };
}

const onlyLocal: StorageClasses = {
  storageClassOf: async () => localStorageClass,
  listStorageClasses: async () => [],
};

async function openStore(
  storageClass: StorageClass,
  {
    spoolDir,
    credentials,
    ...local
  }: Pick<LocalBlobStoreOptions, 'mustExist' | 'hashesAside'> & {
    spoolDir: string;
    credentials: S3Credentials | undefined;
    observe: CommitObserver;
  },
): Promise<BlobStore> {
  if (storageClass.type === 's3') {
    // The SDK is a quarter of all modules of a service: most platforms never need it.
    const { openS3BlobStore } = await import('./s3/s3-blob-store.ts');
    return openS3BlobStore({ storageClass, spoolDir, credentials, observe: local.observe });
  }
  return openLocalBlobStore({ dir: storageClass.folder, storageClass: storageClass.name, ...local });
}
