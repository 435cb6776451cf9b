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
import { claimPartial } from './claim-partial.ts';
import { leaseSeconds, insertUpload, type InsertedUpload, type UploadIntent } from './insert-upload.ts';
import { RunningUpload, type UploadParts } from './running-upload.ts';

const defaultMediaType = 'application/octet-stream';

/** Begins an upload, or goes on with an interrupted one. Throws what `Filebox.beginUpload` says. */
export async function beginUpload(
  parts: UploadParts,
  { vfsId, path }: { vfsId: string; path: VirtualPath },
  options: UploadOptions,
): Promise<Upload> {
  const { origin, overwrite, inPlaceOf, mediaType = defaultMediaType } = options;
  const { keepPartial = false, resume = false, followsFile = false, besidePartials = true } = options;
  const { expectedBytes, countsAsNew = false, isTemporaryName = () => false } = options;
  const metadata = parseMetadata(options.metadata ?? {});
  const store = await parts.stores.ofVfs(vfsId);
  const intent = {
    vfsId,
    path,
    userName: origin.userName,
    blobId: uuidV7(),
    storageClass: store.storageClass,
    holder: randomUUID(),
    resumable: keepPartial,
    overwrite,
    besidePartials,
    followsFile,
    bytesAtLeast: expectedBytes?.atLeast ?? 0,
    countsAsNew,
  };
  const resumed = resume === true ? await resumePartial(parts, intent) : undefined;
  const blob = resumed ?? (await beginBlob(parts, store, { intent, copyExisting: resume !== false }));
  const takenUp = resumed !== undefined;
  const reserved = { ...blob.reserved, expectedBytes };
  const described = { origin, inPlaceOf, mediaType, metadata, isTemporaryName, right: options.right };
  return new RunningUpload(parts, {
    ...intent,
    ...blob,
    ...described,
    reserved,
    keepPartial,
    staged: false,
    leaseSeconds,
    takenUp,
  });
}

interface OpenedBlob {
  blobId: string;
  fileset: FilesetId;
  store: BlobStore;
  writer: BlobWriter;
  reserved: Reserved;
}

async function resumePartial({ db, stores }: UploadParts, intent: UploadIntent): Promise<OpenedBlob | undefined> {
  const claimed = await claimPartial(db, intent);
  if (!claimed) return undefined;
  const { blobId, storageClass, fileset, ...reserved } = claimed;
  const store = await stores.named(storageClass);
  try {
    return { blobId, fileset, store, writer: await store.resume(blobId), reserved };
  } catch (error) {
    // Not a byte had been written when it was interrupted, or it was swept just now: there is nothing to go on with.
    if (isCodedError(error, 'content_missing')) return undefined;
    throw error;
  }
}

async function beginBlob(
  parts: UploadParts,
  store: BlobStore,
  { intent, copyExisting }: { intent: UploadIntent; copyExisting: boolean },
): Promise<OpenedBlob> {
  const { db, remover, observe } = parts;
  const { blobId } = intent;
  // At the same time: without its intent an empty blob is an orphan, as the bytes of an intent that was lost are.
  const created = copyExisting ? undefined : store.create(blobId);
  created?.catch(() => {});
  const recorded = await recordWithRoom(db, intent).catch(async (error: unknown) => {
    await removeCreated(store, blobId, created);
    throw error;
  });
  const { givenUp, fileset, ...reserved } = recorded;
  for (const blobOfOld of givenUp) remover.removeSoon(blobOfOld);
  try {
    await observe('intentRecorded');
    const writer = (await created) ?? (await openCopy(parts, store, intent)) ?? (await store.create(blobId));
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
 * Without room at once the upload begins all the same when others are about to give some back: its first byte waits for
 * that, or learns that there is none.
 */
async function recordWithRoom(db: Database, intent: UploadIntent): Promise<InsertedUpload> {
  try {
    return await insertUpload(db, intent);
  } catch (error) {
    if (!isCodedError(error, 'byte_limit_reached')) throw error;
    const { rows } = await db.raw<{ rows: { to_come: boolean }[] }>('SELECT filebox.is_room_to_come(?) AS to_come', [
      intent.vfsId,
    ]);
    if (rows[0]?.to_come !== true) throw error;
    return insertUpload(db, { ...intent, bytesAtLeast: 0 });
  }
}

async function openCopy({ db, stores }: UploadParts, store: BlobStore, { vfsId, path, blobId }: UploadIntent) {
  const existing = await findEntry(db, vfsId, path);
  if (existing?.kind !== 'file') return undefined;
  const from = { store: await stores.named(existing.storageClass), blobId: existing.blobId, size: existing.size };
  return copyBlob(from, { store, blobId });
}
