import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import type { StorageClass } from '@waybill/contracts/configuration/storage-class';
import type { S3Credentials } from '@waybill/service-kit/config/s3-config';
import type { StorageSpace } from '../model/storage.ts';
import type { BucketProbe } from './s3/s3-store-probe.ts';

/** Looks whether a storage class can be used, without a file. */
export interface StoreProbe extends Disposable {
  /** Space on the disk; undefined in S3. @throws Error if the folder cannot be written to, or the bucket not be reached */
  look(timeoutMs: number): Promise<StorageSpace | undefined>;
}

/** Opens a probe of a storage class. Nothing is created. */
export function openStoreProbe(storageClass: StorageClass, credentials: S3Credentials | undefined): StoreProbe {
  if (storageClass.type === 'local') {
    const { folder } = storageClass;
    return { look: () => lookAtFolder(folder), [Symbol.dispose]: () => {} };
  }
  let opened: Promise<BucketProbe> | undefined;
  const open = async (): Promise<BucketProbe> => {
    // Only platforms with a bucket load the SDK.
    const { openBucketProbe } = await import('./s3/s3-store-probe.ts');
    return openBucketProbe(storageClass, credentials);
  };
  return {
    look: async (timeoutMs) => {
      opened ??= open();
      await (await opened).look(timeoutMs);
      return undefined;
    },
    [Symbol.dispose]: () => void opened?.then((probe) => probe[Symbol.dispose]()),
  };
}

async function lookAtFolder(folder: string): Promise<StorageSpace> {
  await access(folder, constants.W_OK);
  const { bsize, blocks, bavail } = await statfs(folder);
  return { totalBytes: bsize * blocks, freeBytes: bsize * bavail };
}
