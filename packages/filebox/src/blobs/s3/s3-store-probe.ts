import { HeadBucketCommand } from '@aws-sdk/client-s3';
import type { StorageClass } from '@waybill/contracts/configuration/storage-class';
import type { S3Credentials } from '@waybill/service-kit/config/s3-config';
import { told } from './s3-bucket.ts';
import { createS3Client } from './s3-client.ts';

/** Looks whether a bucket can be reached. */
export interface BucketProbe extends Disposable {
  /** @throws Error if not */
  look(timeoutMs: number): Promise<void>;
}

/** Opens a probe of a bucket; nothing is connected yet. */
export function openBucketProbe(
  storageClass: Extract<StorageClass, { type: 's3' }>,
  credentials: S3Credentials | undefined,
): BucketProbe {
  const client = createS3Client(storageClass, credentials);
  const command = new HeadBucketCommand({ Bucket: storageClass.bucket });
  return {
    look: async (timeoutMs) => {
      await told(timeoutMs, (options) => client.send(command, options));
    },
    [Symbol.dispose]: () => client.destroy(),
  };
}
