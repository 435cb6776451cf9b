import type { S3Bucket, OpenParts, StoredObject, StoredPart } from './s3-bucket.ts';
import type { S3Keys } from './s3-keys.ts';
import type { S3Listing } from './s3-listing.ts';

/** What S3 has of an unsealed blob: parts of a multipart upload, then a partial object. Either may be missing. */
export interface UnsealedBlob {
  begun: { open: OpenParts; parts: readonly StoredPart[] } | undefined;
  /** The bytes after the parts. */
  partial: StoredObject | undefined;
  /** There is a partial object, possibly one that later parts have made obsolete. */
  hasPartial: boolean;
  size: number;
}

/** The parts of S3 access that are needed for unsealed blobs. */
export interface UnsealedSource {
  bucket: S3Bucket;
  listing: S3Listing;
  keys: S3Keys;
}

/** Stores with a partial object how many bytes precede it: it is valid only while that number is right. */
export function partialMetadata(offset: number): Record<string, string> {
  return { 'waybill-offset': String(offset) };
}

/** Finds the bytes of an unsealed blob; undefined if there are none. */
export async function findUnsealed(source: UnsealedSource, blobId: string): Promise<UnsealedBlob | undefined> {
  const { bucket, keys } = source;
  const [begun, object] = await Promise.all([findParts(source, blobId), bucket.head(keys.partial(blobId))]);
  const storedBytes = begun?.parts.reduce((sum, { size }) => sum + size, 0) ?? 0;
  const counts = object?.metadata['waybill-offset'] === String(storedBytes);
  const partial = counts ? object : undefined;
  if (!begun && !partial) return undefined;
  return { begun, partial, hasPartial: object !== undefined, size: storedBytes + (partial?.size ?? 0) };
}

async function findParts({ listing, keys }: UnsealedSource, blobId: string) {
  // A blob has one writer at a time, and a writer begins one upload: if there are more, the latest is its.
  let latest: (OpenParts & { modifiedAt: Date }) | undefined;
  for await (const upload of listing.uploads(keys.stored(blobId))) {
    if (!latest || upload.modifiedAt >= latest.modifiedAt) latest = upload;
  }
  if (!latest) return undefined;
  const parts = await listing.parts(latest);
  const gap = parts.findIndex(({ number }, index) => number !== index + 1);
  return { open: latest, parts: gap < 0 ? parts : parts.slice(0, gap) };
}
