import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Database } from '@waybill/postgres/database';
import type { BlobReader, BlobStores } from '../blobs/blob-store.ts';
import { findEntry, missingFileError } from '../entries/find-entry.ts';
import type { FileboxEvents } from '../events.ts';
import type { Download } from '../model/download.ts';
import type { FileEntry } from '../model/entry.ts';
import type { Origin } from '../model/origin.ts';
import type { TransferRight } from '../model/transfer-right.ts';
import type { DownloadRecorder, TakenFile } from './download-recorder.ts';

/** What downloads need. */
export interface DownloadParts {
  db: Database;
  stores: BlobStores;
  recorder: DownloadRecorder;
  events: FileboxEvents;
}

/** Who downloads what. */
export interface DownloadRequest {
  vfsId: string;
  path: VirtualPath;
  origin: Origin;
  expected?: FileEntry | undefined;
  right?: TransferRight | undefined;
}

/** Opens the present version of a file. Throws as `Filebox.openDownload` does. */
export async function openDownload(parts: DownloadParts, request: DownloadRequest): Promise<Download> {
  const { entry, reader } = await openVersion(parts, request);
  const { size } = entry;
  const { right } = request;
  const within = (offset: number): number => Math.max(0, Math.min(offset, size));
  let completed: Promise<void> | undefined;
  return {
    entry,
    assertPermitted: () => right?.signal.throwIfAborted(),
    stream: ({ start = 0, end = size } = {}) => reader.stream(within(start), within(end)),
    writeTo: (destination, { start = 0, end = size, note } = {}) =>
      reader.writeTo(destination, within(start), within(end), note),
    read: async (offset, length) => {
      right?.signal.throwIfAborted();
      return reader.read(offset, length);
    },
    readInto: async (target, offset) => {
      right?.signal.throwIfAborted();
      return reader.readInto(target, offset);
    },
    complete: () =>
      (completed ??= recordRead(parts, { entry, origin: request.origin }).catch((error: unknown) => {
        completed = undefined;
        throw error;
      })),
    [Symbol.asyncDispose]: async () => {
      right?.[Symbol.dispose]();
      await reader.close();
    },
  };
}

/** A file that is replaced between the lookup in the index and the opening of its blob is looked up again. */
async function openVersion({ db, stores }: DownloadParts, { vfsId, path, expected }: DownloadRequest) {
  await using ahead = openAhead(stores, expected);
  let missed: { blobId: string; error: unknown } | undefined;
  for (;;) {
    const entry = await findEntry(db, vfsId, path);
    if (entry?.kind !== 'file') throw await missingFileError(db, vfsId, path);
    if (missed?.blobId === entry.blobId) throw missed.error;
    try {
      const reader = await (ahead.take(entry.blobId) ?? openBlob(stores, entry));
      return { entry, reader };
    } catch (error) {
      if (!isCodedError(error, 'content_missing')) throw error;
      missed = { blobId: entry.blobId, error };
    }
  }
}

async function openBlob(stores: BlobStores, { storageClass, blobId, size }: FileEntry): Promise<BlobReader> {
  return (await stores.named(storageClass)).open(blobId, size);
}

/**
 * Content never changes: a reader of the blob that the index names is valid even if it was opened before the lookup.
 */
function openAhead(stores: BlobStores, expected: FileEntry | undefined) {
  let opening = expected && openBlob(stores, expected);
  opening?.catch(() => {});
  return {
    /** At most once, and only for that blob. */
    take: (blobId: string): Promise<BlobReader> | undefined => {
      if (blobId !== expected?.blobId) return undefined;
      const taken = opening;
      opening = undefined;
      return taken;
    },
    [Symbol.asyncDispose]: async () => {
      const reader = await opening?.catch(() => {});
      await reader?.close();
    },
  };
}

async function recordRead({ recorder, events }: DownloadParts, taken: TakenFile): Promise<void> {
  await recorder.record(taken);
  events.fileRead(taken.entry);
}
