import { readFilesOpenapiEndpoint } from '@waybill/contracts/endpoints/files/document/read-files-openapi';
import { readFilesPageEndpoint } from '@waybill/contracts/endpoints/files/document/read-files-page';
import { downloadArchiveEndpoint } from '@waybill/contracts/endpoints/files/downloads/download-archive';
import { downloadFileEndpoint } from '@waybill/contracts/endpoints/files/downloads/download-file';
import { countElementsEndpoint } from '@waybill/contracts/endpoints/files/elements/count-elements';
import { createFolderEndpoint } from '@waybill/contracts/endpoints/files/elements/create-folder';
import { deleteFileEndpoint } from '@waybill/contracts/endpoints/files/elements/delete-file';
import { deleteFolderEndpoint } from '@waybill/contracts/endpoints/files/elements/delete-folder';
import { listFolderEndpoint } from '@waybill/contracts/endpoints/files/elements/list-folder';
import { moveElementEndpoint } from '@waybill/contracts/endpoints/files/elements/move-element';
import { readMetadataEndpoint } from '@waybill/contracts/endpoints/files/elements/read-metadata';
import { updateMetadataEndpoint } from '@waybill/contracts/endpoints/files/elements/update-metadata';
import { closeLoginSessionEndpoint } from '@waybill/contracts/endpoints/files/logins/close-login-session';
import { openLoginSessionEndpoint } from '@waybill/contracts/endpoints/files/logins/open-login-session';
import { listReceiptKeysEndpoint } from '@waybill/contracts/endpoints/files/receipts/list-receipt-keys';
import { readReceiptEndpoint } from '@waybill/contracts/endpoints/files/receipts/read-receipt';
import { uploadFileEndpoint } from '@waybill/contracts/endpoints/files/uploads/upload-file';
import { uploadFileWithMetadataEndpoint } from '@waybill/contracts/endpoints/files/uploads/upload-file-with-metadata';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import { bindSessionEndpoint } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Authenticator, Route } from '@waybill/http-kit/routing/route';
import type { FileAccess } from './domain/access/file-access.ts';
import type { createFetchFile } from './domain/downloads/fetch-file.ts';
import type { createNoteSentPart } from './domain/downloads/note-sent-part.ts';
import type { createPlanArchive } from './domain/downloads/plan-archive.ts';
import type { createReadArchive } from './domain/downloads/read-archive.ts';
import type { createCountElements } from './domain/elements/count-elements.ts';
import type { createListFolder } from './domain/elements/list-folder.ts';
import type { createMakeFolder } from './domain/elements/make-folder.ts';
import type { createMoveElement } from './domain/elements/move-element.ts';
import type { createRemoveFile } from './domain/elements/remove-file.ts';
import type { createRemoveFolder } from './domain/elements/remove-folder.ts';
import type { createUpdateMetadata } from './domain/elements/update-metadata.ts';
import type { createLogIn } from './domain/logins/log-in.ts';
import type { createLogOut } from './domain/logins/log-out.ts';
import type { ReceiptBook } from './domain/receipts/receipt-book.ts';
import type { ReceiptSigner } from './domain/receipts/receipt-signer.ts';
import type { createAcceptUpload } from './domain/uploads/accept-upload.ts';
import { bindTransferEndpoint } from './http/bind-transfer-endpoint.ts';
import { readOpenapiHandler } from './http/document/read-openapi-handler.ts';
import { readPageHandler } from './http/document/read-page-handler.ts';
import { downloadArchiveHandler } from './http/downloads/download-archive-handler.ts';
import { downloadFileHandler } from './http/downloads/download-file-handler.ts';
import { countElementsHandler } from './http/elements/count-elements-handler.ts';
import { createFolderHandler } from './http/elements/create-folder-handler.ts';
import { deleteFileHandler } from './http/elements/delete-file-handler.ts';
import { deleteFolderHandler } from './http/elements/delete-folder-handler.ts';
import { listFolderHandler } from './http/elements/list-folder-handler.ts';
import { moveElementHandler } from './http/elements/move-element-handler.ts';
import { readMetadataHandler } from './http/elements/read-metadata-handler.ts';
import { updateMetadataHandler } from './http/elements/update-metadata-handler.ts';
import { closeLoginSessionHandler } from './http/logins/close-login-session-handler.ts';
import { openLoginSessionHandler } from './http/logins/open-login-session-handler.ts';
import type { HeldSession } from './http/logins/session-authenticator.ts';
import { listReceiptKeysHandler } from './http/receipts/list-receipt-keys-handler.ts';
import { readReceiptHandler } from './http/receipts/read-receipt-handler.ts';
import { uploadFileHandler } from './http/uploads/upload-file-handler.ts';
import { uploadFileWithMetadataHandler } from './http/uploads/upload-file-with-metadata-handler.ts';
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
