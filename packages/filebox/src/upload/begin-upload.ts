import { randomUUID } from 'node:crypto';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { FilesetId } from '@waybill/contracts/values/fileset-id';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Database } from '@waybill/postgres/database';
import { uuidV7 } from '@waybill/service-kit/uuid-v7';
import type { BlobStore, BlobWriter } from '../blobs/blob-store.ts';
import { copyBlob } from '../blobs/copy-blob.ts';
import { findEntry } from '../entries/find-entry.ts';
import { parseMetadata } from '../entries/system-metadata.ts';
import type { Reserved } from '../limits/byte-reservation.ts';
import type { Upload, UploadOptions } from '../model/upload.ts';
import { leaseSeconds, insertUpload, type InsertedUpload, type NewUpload } from './insert-upload.ts';
import { resumeUploadTo } from './resume-upload.ts';
import { RunningUpload, type UploadParts } from './running-upload.ts';

const defaultMediaType = 'application/octet-stream';

/** Begins an upload, or resumes a suspended one. Throws what `Filebox.beginUpload` says. */
export async function beginUpload(
  parts: UploadParts,
  { vfsId, path }: { vfsId: string; path: VirtualPath },
  options: UploadOptions,
): Promise<Upload> {
  const { origin, overwrite, inPlaceOf, mediaType = defaultMediaType } = options;
  const { resumable = false, resume = false, followsFile = false, besideUploads = true } = options;
  const { expectedBytes, countsAsNew = false } = options;
  const metadata = parseMetadata(options.metadata ?? {});
  const store = await parts.stores.ofVfs(vfsId);
  const upload = {
    vfsId,
    path,
    userName: origin.userName,
    protocol: origin.protocol,
    blobId: uuidV7(),
    storageClass: store.storageClass,
    holder: randomUUID(),
    resumable,
    overwrite,
    besideUploads,
    followsFile,
    bytesAtLeast: expectedBytes?.atLeast ?? 0,
    countsAsNew,
  };
  const resumed = resume === true ? await resumeBlob(parts, upload) : undefined;
  const blob = resumed ?? (await beginBlob(parts, store, { upload, copyExisting: resume !== false }));
  const reserved = { ...blob.reserved, expectedBytes };
  const described = { origin, inPlaceOf, mediaType, metadata, right: options.right };
  return new RunningUpload(parts, {
    ...upload,
    ...blob,
    ...described,
    reserved,
    keptAfterFailure: false,
    leaseSeconds,
    resumed: resumed !== undefined,
  });
}

interface OpenedBlob {
  blobId: string;
  fileset: FilesetId;
  store: BlobStore;
  writer: BlobWriter;
  reserved: Reserved;
}

async function resumeBlob({ db, stores }: UploadParts, upload: NewUpload): Promise<OpenedBlob | undefined> {
  const resumed = await resumeUploadTo(db, upload);
  if (!resumed) return undefined;
  const { blobId, storageClass, fileset, ...reserved } = resumed;
  const store = await stores.named(storageClass);
  try {
    return { blobId, fileset, store, writer: await store.resume(blobId), reserved };
  } catch (error) {
    // No byte was written before the suspension, or the blob was just swept: there is nothing to resume.
    if (isCodedError(error, 'content_missing')) return undefined;
    throw error;
  }
}

async function beginBlob(
  parts: UploadParts,
  store: BlobStore,
  { upload, copyExisting }: { upload: NewUpload; copyExisting: boolean },
): Promise<OpenedBlob> {
  const { db, remover, observe } = parts;
  const { blobId } = upload;
  // At the same time as the row: an empty blob without its row is an orphan, like the bytes of an upload whose row was
  // lost.
  const created = copyExisting ? undefined : store.create(blobId);
  created?.catch(() => {});
  const inserted = await insertWithRoom(db, upload).catch(async (error: unknown) => {
    await removeCreated(store, blobId, created);
    throw error;
  });
  const { discarded, fileset, ...reserved } = inserted;
  for (const blobOfOld of discarded) remover.removeSoon(blobOfOld);
  try {
    await observe('uploadInserted');
    const writer = (await created) ?? (await openCopy(parts, store, upload)) ?? (await store.create(blobId));
    const opened = { blobId, fileset, store, writer, reserved };
    await observe('blobCreated');
    return opened;
  } catch (error) {
    await removeCreated(store, blobId, created);
    await db.raw('DELETE FROM filebox.uploads WHERE blob_id = ?', [blobId]).catch(() => {});
    throw error;
  }
}

async function removeCreated(store: BlobStore, blobId: string, created?: Promise<BlobWriter>): Promise<void> {
  const writer = await created?.catch(() => {});
  await writer?.close().catch(() => {});
  await store.remove(blobId).catch(() => {});
}

/**
 * If there is no room now, but other uploads may release some, the upload begins without a reservation: its first byte
 * waits for the room, or fails.
 */
async function insertWithRoom(db: Database, upload: NewUpload): Promise<InsertedUpload> {
  try {
    return await insertUpload(db, upload);
  } catch (error) {
    if (!isCodedError(error, 'byte_limit_reached')) throw error;
    const { rows } = await db.raw<{ rows: { to_come: boolean }[] }>('SELECT filebox.is_room_to_come(?) AS to_come', [
      upload.vfsId,
    ]);
    if (rows[0]?.to_come !== true) throw error;
    return insertUpload(db, { ...upload, bytesAtLeast: 0 });
  }
}

async function openCopy({ db, stores }: UploadParts, store: BlobStore, { vfsId, path, blobId }: NewUpload) {
  const existing = await findEntry(db, vfsId, path);
  if (existing?.kind !== 'file') return undefined;
  const from = { store: await stores.named(existing.storageClass), blobId: existing.blobId, size: existing.size };
  return copyBlob(from, { store, blobId });
}
