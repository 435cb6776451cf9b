import { randomUUID } from 'node:crypto';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { Database } from '@waybill/postgres/database';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import type { BlobStore, BlobWriter } from '../blobs/blob-store.ts';
import { openSpoolFile } from '../blobs/local/spool-file.ts';
import { sealedBlobWriter } from '../blobs/sealed-blob-writer.ts';
import { parseMetadata } from '../entries/system-metadata.ts';
import type { Upload } from '../model/upload.ts';
import { removeTaken, takeUpload } from '../unfinished/discard-upload.ts';
import { insertUpload } from './insert-upload.ts';
import { leaseSecondsById, resumeUploadById } from './resume-upload.ts';
import { RunningUpload, type UploadParts } from './running-upload.ts';
import type { ResumeByIdOptions, UploadsById } from './uploads-by-id.ts';

/** Creates the access to uploads by their ids. */
export function createUploadsById(parts: UploadParts, { spoolDir }: { spoolDir: string }): UploadsById {
  const { db, stores } = parts;
  return {
    begin: async ({ metadata = {}, expectedBytes, countsAsNew = false, protocol, ...place }) => {
      parseMetadata(metadata);
      const { storageClass } = await stores.ofVfs(place.vfsId);
      const blobId = uuidV7();
      const bytesAtLeast = expectedBytes?.atLeast ?? 0;
      const known = { bytesAtLeast, countsAsNew };
      const upload = {
        ...place,
        protocol,
        blobId,
        storageClass,
        holder: randomUUID(),
        resumable: false,
        followsFile: false,
        ...known,
      };
      await insertUpload(db, upload);
      return blobId;
    },
    resume: (blobId, options) => resumeById(parts, blobId, options),
    size: async (blobId) => {
      const storageClass = await findStorageClass(db, blobId);
      if (storageClass === undefined) return undefined;
      const size = await (await stores.named(storageClass)).durableSize(blobId);
      if (size !== undefined) return size;
      // Nothing has arrived, or it was discarded at this moment.
      return (await findStorageClass(db, blobId)) === undefined ? undefined : 0;
    },
    openSpool: () => openSpoolFile(spoolDir),
    discard: (blobId) => discardById(parts, blobId),
  };
}

async function findStorageClass(db: Database, blobId: string): Promise<string | undefined> {
  const { rows } = await db.raw<{ rows: { storage_class: string }[] }>(
    'SELECT storage_class FROM filebox.uploads WHERE blob_id = ? AND kept_until IS NOT NULL',
    [blobId],
  );
  return rows[0]?.storage_class;
}

async function resumeById(parts: UploadParts, blobId: string, options: ResumeByIdOptions): Promise<Upload> {
  const { vfsId, path, keptUntil, origin, overwrite, inPlaceOf, mediaType = 'application/octet-stream' } = options;
  const metadata = parseMetadata(options.metadata ?? {});
  const holder = randomUUID();
  const { storageClass, fileset, ...reserved } = await resumeUploadById(parts.db, { blobId, holder, keptUntil });
  const store = await parts.stores.named(storageClass);
  const writer = await openWriter(parts.db, store, blobId);
  return new RunningUpload(parts, {
    vfsId,
    path,
    blobId,
    fileset,
    store,
    holder,
    writer,
    origin,
    overwrite,
    inPlaceOf,
    mediaType,
    metadata,
    reserved: { ...reserved, expectedBytes: options.expectedBytes },
    resumable: true,
    keptAfterFailure: true,
    leaseSeconds: leaseSecondsById,
    followsFile: false,
    resumed: true,
    right: options.right,
  });
}

/**
 * A process may have died before the first byte, or between the seal and the commit.
 * @throws CodedError `upload_unknown` if the upload was discarded after its lease was taken
 */
async function openWriter(db: Database, store: BlobStore, blobId: string): Promise<BlobWriter> {
  try {
    return await store.resume(blobId);
  } catch (error) {
    if (!isCodedError(error, 'content_missing')) throw error;
    const sealedSize = await store.durableSize(blobId);
    if (sealedSize !== undefined) return sealedBlobWriter(sealedSize);
    const writer = await store.create(blobId);
    if ((await findStorageClass(db, blobId)) !== undefined) return writer;
    await writer.close();
    await store.remove(blobId);
    throw new CodedError('upload_unknown');
  }
}

async function discardById(parts: UploadParts, blobId: string): Promise<boolean> {
  const taken = await takeUpload(parts.db, { blobId, condition: 'u.kept_until IS NOT NULL' });
  if (taken) await removeTaken(parts, taken);
  return taken !== undefined;
}
