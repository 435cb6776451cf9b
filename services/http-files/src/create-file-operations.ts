import type { Filebox } from '@waybill/filebox/filebox';
import type { SentParts } from '@waybill/sent-parts/sent-parts';
import { createResumableUploads, type ResumableUploadPorts } from './create-resumable-uploads.ts';
import { createAcceptUpload } from './domain/accept-upload.ts';
import { createCountElements } from './domain/count-elements.ts';
import { createDeliverFile } from './domain/deliver-file.ts';
import { createFetchFile } from './domain/fetch-file.ts';
import { createListFolder } from './domain/list-folder.ts';
import { createMakeFolder } from './domain/make-folder.ts';
import { createMoveElement } from './domain/move-element.ts';
import { createNoteSentPart } from './domain/note-sent-part.ts';
import { createPlanArchive } from './domain/plan-archive.ts';
import { createReadArchive } from './domain/read-archive.ts';
import { createReadFolderView } from './domain/read-folder-view.ts';
import type { ReceiptBook } from './domain/receipt-book.ts';
import { createRemoveFile } from './domain/remove-file.ts';
import { createRemoveFolder } from './domain/remove-folder.ts';
import { createStoreFile } from './domain/store-file.ts';
import { createUpdateMetadata } from './domain/update-metadata.ts';

/** What file operations work with, all of them together. */
export interface FileOperationPorts extends Omit<ResumableUploadPorts, 'filebox' | 'deliverFile' | 'events'> {
  readonly filebox: Filebox;
  readonly receipts: ReceiptBook;
  readonly sentParts: SentParts;
  readonly events: ResumableUploadPorts['events'] & { fileReceived(size: number): void };
}

/** Everything that a logged-in user can have done to files and folders. */
export function createFileOperations(ports: FileOperationPorts) {
  const deliverFile = createDeliverFile(ports);
  const readFolderView = createReadFolderView(ports);
  return {
    acceptUpload: createAcceptUpload({ ...ports, storeFile: createStoreFile({ ...ports, deliverFile }) }),
    resumableUploads: createResumableUploads({ ...ports, deliverFile }),
    fetchFile: createFetchFile(ports),
    noteSentPart: createNoteSentPart(ports),
    removeFile: createRemoveFile(ports),
    moveElement: createMoveElement(ports),
    makeFolder: createMakeFolder(ports),
    removeFolder: createRemoveFolder(ports),
    planArchive: createPlanArchive(ports),
    readArchive: createReadArchive(ports),
    updateMetadata: createUpdateMetadata(ports),
    countElements: createCountElements({ ...ports, readFolderView }),
    listFolder: createListFolder({ ...ports, readFolderView }),
  };
}
