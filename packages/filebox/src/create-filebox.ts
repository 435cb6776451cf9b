import type { UserName } from '@waybill/contracts/values/user-name';
import type { Database } from '@waybill/postgres/database';
import type { S3Credentials } from '@waybill/service-kit/config/s3-config';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import { createBlobRemover } from './blobs/blob-remover.ts';
import { spoolDirIn } from './blobs/local/spool-file.ts';
import { openBlobStores } from './blobs/open-blob-stores.ts';
import type { CommitObserver } from './blobs/upload-step.ts';
import { deleteFile } from './deletion/delete-file.ts';
import { deleteFolder } from './deletion/delete-folder.ts';
import { deleteTree } from './deletion/delete-tree.ts';
import { createDownloadRecorder } from './download/download-recorder.ts';
import { openDownload } from './download/open-download.ts';
import { createFolder } from './entries/create-folder.ts';
import { ensureFolders } from './entries/ensure-folders.ts';
import { findEntry } from './entries/find-entry.ts';
import { findVisible } from './entries/find-visible.ts';
import { renameEntry } from './entries/rename-entry.ts';
import { setMetadata } from './entries/set-metadata.ts';
import { setTimes } from './entries/set-times.ts';
import { createTemporaryNames } from './entries/temporary-names.ts';
import { createFileboxEvents, type FileboxEvents } from './events.ts';
import { findFilePlaces } from './file-places.ts';
import type { Filebox } from './filebox.ts';
import { measureSpace } from './limits/measure-space.ts';
import { createQuotaReservations } from './limits/quota-reservations.ts';
import { createListingParts, settleListing } from './listing/caches/listing-parts.ts';
import { countEntries } from './listing/count-entries.ts';
import { listEntries } from './listing/list-entries.ts';
import { scanEntries } from './listing/scan-entries.ts';
import type { StorageClasses } from './model/storage.ts';
import { releaseOnFailure } from './model/transfer-right.ts';
import { beginUpload } from './upload/begin-upload.ts';
import { createUploadsById } from './upload/create-uploads-by-id.ts';
import { findUploadPlaces } from './upload/upload-places.ts';
import { uploadWithRight } from './upload/upload-with-right.ts';

/** What a filebox needs. */
export interface FileboxOptions {
  db: Database;
  /** Folder of the class `local`, the same for every process of a platform. It is created if it is missing. */
  blobDir: string;
  /** Which files are kept where; default: all in `local`. */
  storageClasses?: StorageClasses;
  /** For S3; default: the AWS SDK's credential chain. */
  s3Credentials?: S3Credentials | undefined;
  /** Name of the manager, for audit records. */
  managerName: string;
  /**
   * The table for the receipts of uploads, with its schema; if absent, `commit` accepts none. It has the columns
   * `fileset`, `user_id`, `user_name`, `path`, `size`, `sha256`, `stored_at` and `dfiid`.
   */
  receiptTable?: string;
  /**
   * Whether big uploads are hashed on a separate thread; default: true. This takes slightly more processor time in
   * total, and much less on the main thread.
   */
  hashesAside?: boolean;
  /** Memory for the names of big folders whose entries are counted by patterns; default: 64 MiB; 0 keeps none. */
  folderNameCacheBytes?: number;
  logger: Logger;
  metrics: Metrics;
  /**
   * Patterns of temporary names; default: none. A file starts no contract under such a name, through any door and by
   * any job. See `Filebox.rename`.
   */
  temporaryNames?: readonly string[];
  /** For crash tests. */
  observe?: CommitObserver;
}

/** Creates the access of one process to the files of all virtual file systems. The schema must be migrated. */
export async function createFilebox(options: FileboxOptions): Promise<Filebox & AsyncDisposable> {
  const { db, blobDir, managerName, receiptTable, logger, metrics, observe = () => {} } = options;
  const isTemporaryName = createTemporaryNames(options.temporaryNames ?? []);
  const stores = await openBlobStores(options);
  const remover = createBlobRemover({ db, stores, logger, observe });
  const listing = createListingParts({ db, folderNameCacheBytes: options.folderNameCacheBytes, metrics });
  const keeper = createQuotaReservations({ db });
  const events = createFileboxEvents({ logger, metrics });
  const recorder = createDownloadRecorder({ db, managerName, isTemporaryName });
  const named = { managerName, receiptTable, isTemporaryName };
  const parts = { db, stores, remover, keeper, recorder, ...named, observe, events };

  async function find(vfsId: string, path: Parameters<Filebox['find']>[1], options?: { includeUploadOf?: UserName }) {
    const userName = options?.includeUploadOf;
    return userName === undefined ? findEntry(db, vfsId, path) : findVisible(parts, { vfsId, path, userName });
  }

  const uploadsById = createUploadsById(parts, { spoolDir: spoolDirIn(blobDir) });
  const counted = <T>(work: Promise<T>): Promise<T> => countRefusal(work, events);

  return {
    find: find as Filebox['find'],
    list: (vfsId, path, query) => listEntries(listing, vfsId, path, query),
    count: (vfsId, path, filter) => countEntries(listing, vfsId, path, filter),
    scan: (vfsId, path, scan) => scanEntries(parts, { vfsId, path, scan }),
    beginUpload: (vfsId, path, upload) =>
      uploadWithRight(parts, { path, ...upload }, () => counted(beginUpload(parts, { vfsId, path }, upload))),
    findFilePlaces: (vfsId, ids) => findFilePlaces(db, vfsId, ids),
    findUploadPlaces: (blobIds) => findUploadPlaces(db, blobIds),
    uploadsById: {
      ...uploadsById,
      begin: (place) => counted(uploadsById.begin(place)),
      resume: (blobId, options) => uploadWithRight(parts, options, () => uploadsById.resume(blobId, options)),
    },
    openDownload: (vfsId, path, options) =>
      releaseOnFailure(options.right, () => openDownload(parts, { vfsId, path, ...options })),
    deleteFile: (vfsId, path, options) => deleteFile(parts, { vfsId, path, ...options }),
    createFolder: (vfsId, path, options) => counted(createFolder(parts, { vfsId, path, ...options })),
    ensureFolders: (vfsId, paths) => ensureFolders(db, vfsId, paths),
    deleteFolder: (vfsId, path, { recursive = false, ...options }) =>
      (recursive ? deleteTree : deleteFolder)(parts, { vfsId, path, ...options }),
    rename: (vfsId, from, to, options) => counted(renameEntry(parts, { vfsId, from, to, ...options })),
    setMetadata: (vfsId, path, values, options) => setMetadata(parts, { vfsId, path, values, ...options }),
    setTimes: (vfsId, path, times) => setTimes(db, { vfsId, path, ...times }),
    space: (vfsId) => measureSpace({ db, stores }, vfsId),
    [Symbol.asyncDispose]: async () => {
      await settleListing(listing);
      keeper[Symbol.dispose]();
      await remover.settle();
      await stores[Symbol.asyncDispose]();
    },
  };
}

async function countRefusal<T>(work: Promise<T>, events: Pick<FileboxEvents, 'refused'>): Promise<T> {
  try {
    return await work;
  } catch (error) {
    events.refused(error);
    throw error;
  }
}
