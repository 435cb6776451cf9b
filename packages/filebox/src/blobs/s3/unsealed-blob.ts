import type { S3Bucket, OpenParts, StoredObject, StoredPart } from './s3-bucket.ts';
import type { S3Keys } from './s3-keys.ts';
import type { S3Listing } from './s3-listing.ts';

/** What S3 has of a blob that is not sealed: parts of a multipart upload, then a partial object. Either may be missing. */
export interface UnsealedBlob {
  begun: { open: OpenParts; parts: readonly StoredPart[] } | undefined;
  /** What comes after the parts. */
  partial: StoredObject | undefined;
  /** There is a partial object, if only one that was overtaken by parts. */
  hasPartial: boolean;
  size: number;
}

/** The parts of S3 that know about unsealed blobs. */
export interface UnsealedSource {
  bucket: S3Bucket;
  listing: S3Listing;
  keys: S3Keys;
}

/** Notes on a partial object how many bytes are before it, so that it counts only for as long as that is so. */
export function partialMetadata(offset: number): Record<string, string> {
  return { 'waybill-offset': String(offset) };
}

/** Finds what there is of an unsealed blob; undefined when there is nothing. */
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
  // A blob has one writer at a time, and a writer begins one upload: should there be more, the latest is its.
  let latest: (OpenParts & { modifiedAt: Date }) | undefined;
  for await (const upload of listing.uploads(keys.stored(blobId))) {
    if (!latest || upload.modifiedAt >= latest.modifiedAt) latest = upload;
  }
  if (!latest) return undefined;
  const parts = await listing.parts(latest);
  const gap = parts.findIndex(({ number }, index) => number !== index + 1);
  return { open: latest, parts: gap < 0 ? parts : parts.slice(0, gap) };
}
