import { createHash } from 'node:crypto';
import type { S3ClientConfig } from '@aws-sdk/client-s3';
import type { StorageClass } from '@waybill/contracts/configuration/storage-class';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { blobChunks } from '../blob-chunks.ts';
import type { BlobReader, BlobStore, HeldBlob } from '../blob-store.ts';
import type { CommitObserver } from '../upload-step.ts';
import { openS3BlobReader, type SealedObject } from './s3-blob-reader.ts';
import { S3BlobWriter } from './s3-blob-writer.ts';
import { createS3Bucket } from './s3-bucket.ts';
import { createS3Client } from './s3-client.ts';
import { s3Keys } from './s3-keys.ts';
import { createS3Listing } from './s3-listing.ts';
import { S3ObjectUpload } from './s3-object-upload.ts';
import { findUnsealed, type UnsealedSource } from './unsealed-blob.ts';

/** Where the blobs are. */
export interface S3BlobStoreOptions {
  storageClass: Extract<StorageClass, { type: 's3' }>;
  /** Local folder for bytes that do not arrive in order. */
  spoolDir: string;
  observe?: CommitObserver;
  /** Size of the first parts of an upload, for servers that accept smaller ones than S3 does; default: 8 MiB. */
  partBytes?: number;
  /** Default: the AWS SDK's credential chain. */
  credentials?: S3ClientConfig['credentials'] | undefined;
}

/** Blobs as objects of a bucket, of AWS or of any other server that implements S3. */
export function openS3BlobStore(options: S3BlobStoreOptions): BlobStore {
  const { storageClass, spoolDir, partBytes, observe = () => {} } = options;
  const client = createS3Client(storageClass, options.credentials);
  const keys = s3Keys(storageClass.prefix);
  const bucket = createS3Bucket(client, storageClass.bucket);
  const listing = createS3Listing(client, storageClass.bucket);
  const source: UnsealedSource = { bucket, listing, keys };
  const objectOf = async (blobId: string): Promise<SealedObject> => {
    const object = await bucket.head(keys.stored(blobId));
    if (!object) throw new CodedError('content_missing', { cause: new Error(`${keys.stored(blobId)} does not exist`) });
    return { key: keys.stored(blobId), ...object };
  };
  const begin = (blobId: string) => new S3ObjectUpload(bucket, { key: keys.stored(blobId), partBytes });
  const writer = (blobId: string, upload: S3ObjectUpload, hasPartial = false) => {
    const [storedKey, partialKey] = [keys.stored(blobId), keys.partial(blobId)];
    return new S3BlobWriter({ bucket, storedKey, partialKey, spoolDir, partBytes, observe }, upload, { hasPartial });
  };
  return {
    storageClass: storageClass.name,
    readersOutliveRemoval: false,
    create: async (blobId) => writer(blobId, begin(blobId)),
    resume: async (blobId) => {
      const { upload, hasPartial } = await resumeUpload(source, blobId, partBytes);
      return writer(blobId, upload, hasPartial);
    },
    copy: async (fromBlobId, blobId) => {
      const upload = begin(blobId);
      await upload.copyFrom(await objectOf(fromBlobId));
      return writer(blobId, upload);
    },
    open: async (blobId, size) => {
      const object = await objectOf(blobId);
      if (object.size === size) return openS3BlobReader(bucket, object);
      throw new CodedError('content_missing', { cause: new Error(`${object.key} does not have ${size} bytes`) });
    },
    digest: async (blobId) => {
      const object = await objectOf(blobId);
      return digestOf(openS3BlobReader(bucket, object), object.size);
    },
    sealedSize: async (blobId) => (await bucket.head(keys.stored(blobId)))?.size,
    unsealedSize: async (blobId) => (await findUnsealed(source, blobId))?.size,
    // What S3 has confirmed is durable.
    durableSize: async (blobId) =>
      (await findUnsealed(source, blobId))?.size ?? (await bucket.head(keys.stored(blobId)))?.size,
    remove: (blobId) => removeBlob(source, blobId),
    list: () => listBlobs(source),
    [Symbol.asyncDispose]: async () => client.destroy(),
  };
}

async function resumeUpload(source: UnsealedSource, blobId: string, partBytes: number | undefined) {
  const { bucket, keys } = source;
  const found = await findUnsealed(source, blobId);
  if (!found) throw new CodedError('content_missing', { cause: new Error(`there are no bytes of ${blobId}`) });
  const { begun, partial, hasPartial } = found;
  const upload = new S3ObjectUpload(bucket, { key: keys.stored(blobId), partBytes }, begun);
  if (partial) {
    const reader = openS3BlobReader(bucket, { key: keys.partial(blobId), ...partial });
    for await (const chunk of blobChunks(reader, partial.size)) await upload.append(chunk);
  }
  return { upload, hasPartial };
}

/** Chunks are one megabyte and come from the network: hashing one does not block the event loop noticeably. */
async function digestOf(reader: BlobReader, size: number): Promise<Buffer> {
  const hash = createHash('sha256');
  for await (const chunk of blobChunks(reader, size)) hash.update(chunk);
  return hash.digest();
}

async function removeBlob({ bucket, listing, keys }: UnsealedSource, blobId: string): Promise<void> {
  await Promise.all(
    [keys.stored(blobId), keys.partial(blobId)].map(async (key) => {
      await bucket.delete(key);
      for await (const upload of listing.uploads(key)) await bucket.abortParts(upload);
    }),
  );
}

async function* listBlobs({ listing, keys }: UnsealedSource): AsyncGenerator<HeldBlob> {
  for (const found of [listing.objects(keys.prefix), listing.uploads(keys.prefix)]) {
    for await (const { key, modifiedAt } of found) {
      const blobId = keys.blobOf(key);
      if (blobId !== undefined) yield { blobId, modifiedAt };
    }
  }
}
