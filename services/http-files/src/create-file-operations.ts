import type { Directory } from '@waybill/directory/directory';
import type { DownloadCoverage } from '@waybill/download-coverage/download-coverage';
import type { Filebox } from '@waybill/filebox/filebox';
import { createResumableUploads, type ResumableUploadPorts } from './create-resumable-uploads.ts';
import { createFetchFile } from './domain/downloads/fetch-file.ts';
import { createNoteSentRange } from './domain/downloads/note-sent-range.ts';
import { createPlanArchive } from './domain/downloads/plan-archive.ts';
import { createReadArchive } from './domain/downloads/read-archive.ts';
import { createCountElements } from './domain/elements/count-elements.ts';
import { createListFolder } from './domain/elements/list-folder.ts';
import { createMakeFolder } from './domain/elements/make-folder.ts';
import { createMoveElement } from './domain/elements/move-element.ts';
import { createReadFolderView } from './domain/elements/read-folder-view.ts';
import { createReadSpace } from './domain/elements/read-space.ts';
import { createRemoveFile } from './domain/elements/remove-file.ts';
import { createRemoveFolder } from './domain/elements/remove-folder.ts';
import { createUpdateMetadata } from './domain/elements/update-metadata.ts';
import type { ReceiptBook } from './domain/receipts/receipt-book.ts';
import { createAcceptUpload } from './domain/uploads/accept-upload.ts';
import { createDeliverFile } from './domain/uploads/deliver-file.ts';
import type { DeliveryBook } from './domain/uploads/delivery-book.ts';
import { createStoreFile } from './domain/uploads/store-file.ts';

/** What file operations need, all of them together. */
export interface FileOperationPorts extends Omit<ResumableUploadPorts, 'filebox' | 'deliverFile' | 'events'> {
  readonly filebox: Filebox;
  readonly directory: Pick<Directory, 'retentionOf'>;
  readonly receipts: ReceiptBook;
  readonly deliveries: DeliveryBook;
  readonly coverage: DownloadCoverage;
  readonly events: ResumableUploadPorts['events'] & { fileReceived(size: number): void };
}

/** The operations on files and folders for a logged-in user. */
export function createFileOperations(ports: FileOperationPorts) {
  const deliverFile = createDeliverFile(ports);
  const readFolderView = createReadFolderView(ports);
  return {
    acceptUpload: createAcceptUpload({ ...ports, storeFile: createStoreFile({ ...ports, deliverFile }) }),
    resumableUploads: createResumableUploads({ ...ports, deliverFile }),
    fetchFile: createFetchFile(ports),
    noteSentRange: createNoteSentRange(ports),
    removeFile: createRemoveFile(ports),
    moveElement: createMoveElement(ports),
    makeFolder: createMakeFolder(ports),
    removeFolder: createRemoveFolder(ports),
    planArchive: createPlanArchive(ports),
    readArchive: createReadArchive(ports),
    updateMetadata: createUpdateMetadata(ports),
    countElements: createCountElements({ ...ports, readFolderView }),
    listFolder: createListFolder({ ...ports, readFolderView }),
    readSpace: createReadSpace(ports),
  };
}
