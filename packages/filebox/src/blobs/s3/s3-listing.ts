import { ListMultipartUploadsCommand, ListObjectsV2Command, ListPartsCommand, type S3Client } from '@aws-sdk/client-s3';
import { told, type OpenParts, type StoredPart } from './s3-bucket.ts';

const pageTimeoutMs = 30_000;

/** Lists the objects and the unfinished uploads of a bucket. Throws as `S3Bucket` does. */
export interface S3Listing {
  /** Objects whose names have this prefix. */
  objects(prefix: string): AsyncIterable<{ key: string; modifiedAt: Date }>;
  /** Multipart uploads that were neither completed nor aborted. */
  uploads(prefix: string): AsyncIterable<OpenParts & { modifiedAt: Date }>;
  /** Parts in the order of their numbers. */
  parts(open: OpenParts): Promise<StoredPart[]>;
}

/**
 * The listing of a bucket. Only `IsTruncated` tells whether there is another page: some servers send a marker on the
 * last page.
 */
export function createS3Listing(client: S3Client, bucket: string): S3Listing {
  return {
    objects: (prefix) => listObjects(client, bucket, prefix),
    uploads: (prefix) => listUploads(client, bucket, prefix),
    parts: async (open) => {
      const parts: StoredPart[] = [];
      for await (const part of listParts(client, bucket, open)) parts.push(part);
      return parts;
    },
  };
}

async function* listObjects(client: S3Client, bucket: string, prefix: string) {
  for (let token: string | undefined, more = true; more;) {
    const command = new ListObjectsV2Command({ Bucket: bucket, Prefix: prefix, ContinuationToken: token });
    const page = await told(pageTimeoutMs, (options) => client.send(command, options));
    for (const { Key, LastModified } of page.Contents ?? []) {
      if (Key !== undefined && LastModified) yield { key: Key, modifiedAt: LastModified };
    }
    token = page.NextContinuationToken;
    more = page.IsTruncated === true;
  }
}

async function* listUploads(client: S3Client, bucket: string, prefix: string) {
  for (let marker = {}, more = true; more;) {
    const command = new ListMultipartUploadsCommand({ Bucket: bucket, Prefix: prefix, ...marker });
    const page = await told(pageTimeoutMs, (options) => client.send(command, options));
    for (const { Key, UploadId, Initiated } of page.Uploads ?? []) {
      if (Key !== undefined && UploadId !== undefined && Initiated) {
        yield { key: Key, uploadId: UploadId, modifiedAt: Initiated };
      }
    }
    marker = { KeyMarker: page.NextKeyMarker, UploadIdMarker: page.NextUploadIdMarker };
    more = page.IsTruncated === true;
  }
}

async function* listParts(client: S3Client, bucket: string, { key, uploadId }: OpenParts): AsyncGenerator<StoredPart> {
  for (let marker: string | undefined, more = true; more;) {
    const names = { Bucket: bucket, Key: key, UploadId: uploadId, PartNumberMarker: marker };
    const page = await told(pageTimeoutMs, (options) => client.send(new ListPartsCommand(names), options));
    for (const { PartNumber = 0, ETag = '', Size = 0 } of page.Parts ?? []) {
      yield { number: PartNumber, etag: ETag, size: Size };
    }
    marker = page.NextPartNumberMarker;
    more = page.IsTruncated === true;
  }
}
