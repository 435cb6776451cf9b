import { isBlobId, shardOf } from '../local/local-blob-layout.ts';

/** The names of objects in a bucket, all below the prefix of their class of storage. */
export interface S3Keys {
  /** The prefix of all names of the class. */
  readonly prefix: string;
  /** A sealed blob; also the multipart upload that becomes one. */
  stored(blobId: string): string;
  /** What an unsealed blob has beyond the parts of its multipart upload. */
  partial(blobId: string): string;
  /** The blob that a key belongs to; undefined if the store does not own the key. */
  blobOf(key: string): string | undefined;
}

/**
 * The names below a prefix. Their two digits are random, and precede the rest of an id, which begins with the time: a
 * bucket spreads its load by the beginnings of names.
 */
export function s3Keys(prefix: string): S3Keys {
  const base = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`;
  const stored = (blobId: string): string => `${base}blobs/${shardOf(blobId)}/${blobId}`;
  const partial = (blobId: string): string => `${base}partials/${shardOf(blobId)}/${blobId}`;
  return {
    prefix: base,
    stored,
    partial,
    blobOf: (key) => {
      const blobId = key.slice(key.lastIndexOf('/') + 1);
      const ours = isBlobId(blobId) && (key === stored(blobId) || key === partial(blobId));
      return ours ? blobId : undefined;
    },
  };
}
