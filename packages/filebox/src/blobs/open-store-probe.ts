import { constants } from 'node:fs';
import { access, statfs } from 'node:fs/promises';
import { HeadBucketCommand } from '@aws-sdk/client-s3';
import type { StorageClass } from '@waybill/contracts/configuration/storage-class';
import type { S3Credentials } from '@waybill/service-kit/config/s3-config';
import type { StorageSpace } from '../model/storage.ts';
import { told } from './s3/s3-bucket.ts';
import { createS3Client } from './s3/s3-client.ts';

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
  const client = createS3Client(storageClass, credentials);
  const command = new HeadBucketCommand({ Bucket: storageClass.bucket });
  return {
    look: async (timeoutMs) => {
      await told(timeoutMs, (options) => client.send(command, options));
      return undefined;
    },
    [Symbol.dispose]: () => client.destroy(),
  };
}

async function lookAtFolder(folder: string): Promise<StorageSpace> {
  await access(folder, constants.W_OK);
  const { bsize, blocks, bavail } = await statfs(folder);
  return { totalBytes: bsize * blocks, freeBytes: bsize * bavail };
}
