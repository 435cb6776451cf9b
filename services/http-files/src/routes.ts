import { closeLoginSessionEndpoint } from '@waybill/contracts/endpoints/files/close-login-session';
import { countElementsEndpoint } from '@waybill/contracts/endpoints/files/count-elements';
import { createFolderEndpoint } from '@waybill/contracts/endpoints/files/create-folder';
import { deleteFileEndpoint } from '@waybill/contracts/endpoints/files/delete-file';
import { deleteFolderEndpoint } from '@waybill/contracts/endpoints/files/delete-folder';
import { downloadArchiveEndpoint } from '@waybill/contracts/endpoints/files/download-archive';
import { downloadFileEndpoint } from '@waybill/contracts/endpoints/files/download-file';
import { listFolderEndpoint } from '@waybill/contracts/endpoints/files/list-folder';
import { listReceiptKeysEndpoint } from '@waybill/contracts/endpoints/files/list-receipt-keys';
import { moveElementEndpoint } from '@waybill/contracts/endpoints/files/move-element';
import { openLoginSessionEndpoint } from '@waybill/contracts/endpoints/files/open-login-session';
import { readFilesOpenapiEndpoint } from '@waybill/contracts/endpoints/files/read-files-openapi';
import { readFilesPageEndpoint } from '@waybill/contracts/endpoints/files/read-files-page';
import { readMetadataEndpoint } from '@waybill/contracts/endpoints/files/read-metadata';
import { readReceiptEndpoint } from '@waybill/contracts/endpoints/files/read-receipt';
import { updateMetadataEndpoint } from '@waybill/contracts/endpoints/files/update-metadata';
import { uploadFileEndpoint } from '@waybill/contracts/endpoints/files/upload-file';
import { uploadFileWithMetadataEndpoint } from '@waybill/contracts/endpoints/files/upload-file-with-metadata';
import { bindEndpoint } from '@waybill/http-kit/bind-endpoint';
import { bindSessionEndpoint } from '@waybill/http-kit/bind-session-endpoint';
import type { Authenticator, Route } from '@waybill/http-kit/route';
import type { createAcceptUpload } from './domain/accept-upload.ts';
import type { createCountElements } from './domain/count-elements.ts';
import type { createFetchFile } from './domain/fetch-file.ts';
import type { FileAccess } from './domain/file-access.ts';
import type { createListFolder } from './domain/list-folder.ts';
import type { createLogIn } from './domain/log-in.ts';
import type { createLogOut } from './domain/log-out.ts';
import type { createMakeFolder } from './domain/make-folder.ts';
import type { createMoveElement } from './domain/move-element.ts';
import type { createNoteSentPart } from './domain/note-sent-part.ts';
import type { createPlanArchive } from './domain/plan-archive.ts';
import type { createReadArchive } from './domain/read-archive.ts';
import type { ReceiptBook } from './domain/receipt-book.ts';
import type { ReceiptSigner } from './domain/receipt-signer.ts';
import type { createRemoveFile } from './domain/remove-file.ts';
import type { createRemoveFolder } from './domain/remove-folder.ts';
import type { createUpdateMetadata } from './domain/update-metadata.ts';
import { bindTransferEndpoint } from './http/bind-transfer-endpoint.ts';
import { closeLoginSessionHandler } from './http/close-login-session-handler.ts';
import { countElementsHandler } from './http/count-elements-handler.ts';
import { createFolderHandler } from './http/create-folder-handler.ts';
import { deleteFileHandler } from './http/delete-file-handler.ts';
import { deleteFolderHandler } from './http/delete-folder-handler.ts';
import { downloadArchiveHandler } from './http/download-archive-handler.ts';
import { downloadFileHandler } from './http/download-file-handler.ts';
import { listFolderHandler } from './http/list-folder-handler.ts';
import { listReceiptKeysHandler } from './http/list-receipt-keys-handler.ts';
import { moveElementHandler } from './http/move-element-handler.ts';
import { openLoginSessionHandler } from './http/open-login-session-handler.ts';
import { readMetadataHandler } from './http/read-metadata-handler.ts';
import { readOpenapiHandler } from './http/read-openapi-handler.ts';
import { readPageHandler } from './http/read-page-handler.ts';
import { readReceiptHandler } from './http/read-receipt-handler.ts';
import type { HeldSession } from './http/session-authenticator.ts';
import { updateMetadataHandler } from './http/update-metadata-handler.ts';
import { uploadFileHandler } from './http/upload-file-handler.ts';
import { uploadFileWithMetadataHandler } from './http/upload-file-with-metadata-handler.ts';
import { createResumableUploadRoutes, type ResumableUploadRouteParts } from './resumable-upload-routes.ts';

/** What the routes are made of. */
export interface RouteParts extends ResumableUploadRouteParts {
  readonly authenticateSession: Authenticator<HeldSession>;
  readonly access: FileAccess;
  readonly logIn: ReturnType<typeof createLogIn>;
  readonly logOut: ReturnType<typeof createLogOut>;
  readonly acceptUpload: ReturnType<typeof createAcceptUpload>;
  readonly fetchFile: ReturnType<typeof createFetchFile>;
  readonly noteSentPart: ReturnType<typeof createNoteSentPart>;
  readonly removeFile: ReturnType<typeof createRemoveFile>;
  readonly makeFolder: ReturnType<typeof createMakeFolder>;
  readonly removeFolder: ReturnType<typeof createRemoveFolder>;
  readonly moveElement: ReturnType<typeof createMoveElement>;
  readonly updateMetadata: ReturnType<typeof createUpdateMetadata>;
  readonly countElements: ReturnType<typeof createCountElements>;
  readonly planArchive: ReturnType<typeof createPlanArchive>;
  readonly readArchive: ReturnType<typeof createReadArchive>;
  readonly receipts: Pick<ReceiptBook, 'find'>;
  readonly signer: ReceiptSigner;
  readonly events: { bytesSent(count: number): void };
  readonly listFolder: ReturnType<typeof createListFolder>;
}

/** Everything that this service answers: D1 to D9, what goes beyond them, and the document of it all. */
export function createRoutes(parts: RouteParts): Route[] {
  const { authenticateSession: session, authenticateCaller: caller, access } = parts;
  return [
    bindEndpoint(openLoginSessionEndpoint, openLoginSessionHandler(parts.logIn)),
    bindTransferEndpoint(uploadFileEndpoint, parts, uploadFileHandler(parts)),
    bindTransferEndpoint(uploadFileWithMetadataEndpoint, parts, uploadFileWithMetadataHandler(parts)),
    bindTransferEndpoint(downloadFileEndpoint, parts, downloadFileHandler(parts)),
    bindSessionEndpoint(deleteFileEndpoint, caller, deleteFileHandler(parts.removeFile)),
    bindSessionEndpoint(updateMetadataEndpoint, caller, updateMetadataHandler(parts.updateMetadata)),
    bindSessionEndpoint(readMetadataEndpoint, caller, readMetadataHandler(access)),
    bindSessionEndpoint(countElementsEndpoint, caller, countElementsHandler(parts.countElements)),
    bindSessionEndpoint(listFolderEndpoint, caller, listFolderHandler(parts.listFolder)),
    bindSessionEndpoint(createFolderEndpoint, caller, createFolderHandler(parts.makeFolder)),
    bindSessionEndpoint(deleteFolderEndpoint, caller, deleteFolderHandler(parts.removeFolder)),
    bindSessionEndpoint(moveElementEndpoint, caller, moveElementHandler(parts.moveElement)),
    bindTransferEndpoint(downloadArchiveEndpoint, parts, downloadArchiveHandler(parts)),
    ...createResumableUploadRoutes(parts),
    bindSessionEndpoint(readReceiptEndpoint, caller, readReceiptHandler(parts)),
    bindEndpoint(listReceiptKeysEndpoint, listReceiptKeysHandler(parts.signer)),
    bindSessionEndpoint(closeLoginSessionEndpoint, session, closeLoginSessionHandler(parts.logOut)),
    bindEndpoint(readFilesOpenapiEndpoint, readOpenapiHandler()),
    bindEndpoint(readFilesPageEndpoint, readPageHandler()),
  ];
}
