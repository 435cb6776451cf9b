import { readFilesOpenapiEndpoint } from '@waybill/contracts/endpoints/files/document/read-files-openapi';
import { readFilesPageEndpoint } from '@waybill/contracts/endpoints/files/document/read-files-page';
import {
  downloadArchiveEndpoint,
  downloadSelectionEndpoint,
} from '@waybill/contracts/endpoints/files/downloads/download-archive';
import { downloadFileEndpoint } from '@waybill/contracts/endpoints/files/downloads/download-file';
import { countElementsEndpoint } from '@waybill/contracts/endpoints/files/elements/count-elements';
import { createFolderEndpoint } from '@waybill/contracts/endpoints/files/elements/create-folder';
import { deleteFileEndpoint } from '@waybill/contracts/endpoints/files/elements/delete-file';
import { deleteFolderEndpoint } from '@waybill/contracts/endpoints/files/elements/delete-folder';
import { listFolderEndpoint } from '@waybill/contracts/endpoints/files/elements/list-folder';
import { moveElementEndpoint } from '@waybill/contracts/endpoints/files/elements/move-element';
import { readMetadataEndpoint } from '@waybill/contracts/endpoints/files/elements/read-metadata';
import { readPermissionsEndpoint } from '@waybill/contracts/endpoints/files/elements/read-permissions';
import { readSpaceEndpoint } from '@waybill/contracts/endpoints/files/elements/read-space';
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
import { refuseForeignPages } from '@waybill/http-kit/web/refuse-foreign-pages';
import { createAccountRoutes, type AccountRouteParts } from './account-routes.ts';
import type { FileAccess } from './domain/access/file-access.ts';
import type { FetchFile } from './domain/downloads/fetch-file.ts';
import type { NoteSentRange } from './domain/downloads/note-sent-range.ts';
import type { PlanArchive } from './domain/downloads/plan-archive.ts';
import type { ReadArchive } from './domain/downloads/read-archive.ts';
import type { CountElements } from './domain/elements/count-elements.ts';
import type { ListFolder } from './domain/elements/list-folder.ts';
import type { MakeFolder } from './domain/elements/make-folder.ts';
import type { MoveElement } from './domain/elements/move-element.ts';
import type { ReadSpace } from './domain/elements/read-space.ts';
import type { RemoveFile } from './domain/elements/remove-file.ts';
import type { RemoveFolder } from './domain/elements/remove-folder.ts';
import type { UpdateMetadata } from './domain/elements/update-metadata.ts';
import type { LogIn } from './domain/logins/log-in.ts';
import type { LogOut } from './domain/logins/log-out.ts';
import type { ReceiptBook } from './domain/receipts/receipt-book.ts';
import type { ReceiptSigner } from './domain/receipts/receipt-signer.ts';
import type { AcceptUpload } from './domain/uploads/accept-upload.ts';
import { bindTransferEndpoint } from './http/bind-transfer-endpoint.ts';
import { createReadOpenapiHandler, createReadPageHandler } from './http/document/document-handlers.ts';
import {
  createDownloadArchiveHandler,
  createDownloadSelectionHandler,
} from './http/downloads/download-archive-handler.ts';
import { createDownloadFileHandler } from './http/downloads/download-file-handler.ts';
import { createCountElementsHandler } from './http/elements/count-elements-handler.ts';
import { createCreateFolderHandler } from './http/elements/create-folder-handler.ts';
import { createDeleteFileHandler } from './http/elements/delete-file-handler.ts';
import { createDeleteFolderHandler } from './http/elements/delete-folder-handler.ts';
import { createListFolderHandler } from './http/elements/list-folder-handler.ts';
import { createMoveElementHandler } from './http/elements/move-element-handler.ts';
import { createReadMetadataHandler } from './http/elements/read-metadata-handler.ts';
import { createReadPermissionsHandler } from './http/elements/read-permissions-handler.ts';
import { createReadSpaceHandler } from './http/elements/read-space-handler.ts';
import { createUpdateMetadataHandler } from './http/elements/update-metadata-handler.ts';
import { createCloseLoginSessionHandler } from './http/logins/close-login-session-handler.ts';
import { createOpenLoginSessionHandler } from './http/logins/open-login-session-handler.ts';
import type { HeldSession } from './http/logins/session-authenticator.ts';
import { createListReceiptKeysHandler, createReadReceiptHandler } from './http/receipts/receipt-handlers.ts';
import { createUploadFileHandler } from './http/uploads/upload-file-handler.ts';
import { createUploadFileWithMetadataHandler } from './http/uploads/upload-file-with-metadata-handler.ts';
import { createResumableUploadRoutes, type ResumableUploadRouteParts } from './resumable-upload-routes.ts';

/** What the routes need. */
export interface RouteParts extends ResumableUploadRouteParts, AccountRouteParts {
  readonly authenticateSession: Authenticator<HeldSession>;
  readonly access: FileAccess;
  readonly logIn: LogIn;
  readonly logOut: LogOut;
  readonly acceptUpload: AcceptUpload;
  readonly fetchFile: FetchFile;
  readonly noteSentRange: NoteSentRange;
  readonly removeFile: RemoveFile;
  readonly makeFolder: MakeFolder;
  readonly removeFolder: RemoveFolder;
  readonly moveElement: MoveElement;
  readonly updateMetadata: UpdateMetadata;
  readonly countElements: CountElements;
  readonly planArchive: PlanArchive;
  readonly readArchive: ReadArchive;
  readonly receipts: Pick<ReceiptBook, 'find'>;
  readonly signer: ReceiptSigner;
  readonly events: AccountRouteParts['events'] & { bytesSent(count: number): void };
  readonly listFolder: ListFolder;
  readonly readSpace: ReadSpace;
}

/** All routes of this service: D1 to D9, further ones, and the OpenAPI document. */
export function createRoutes(parts: RouteParts): Route[] {
  const { authenticateSession: session, authenticateCaller: caller } = parts;
  const routes = [
    bindEndpoint(openLoginSessionEndpoint, createOpenLoginSessionHandler(parts)),
    bindTransferEndpoint(uploadFileEndpoint, parts, createUploadFileHandler(parts)),
    bindTransferEndpoint(uploadFileWithMetadataEndpoint, parts, createUploadFileWithMetadataHandler(parts)),
    bindTransferEndpoint(downloadFileEndpoint, parts, createDownloadFileHandler(parts)),
    bindSessionEndpoint(deleteFileEndpoint, caller, createDeleteFileHandler(parts)),
    bindSessionEndpoint(updateMetadataEndpoint, caller, createUpdateMetadataHandler(parts)),
    bindSessionEndpoint(readMetadataEndpoint, caller, createReadMetadataHandler(parts)),
    bindSessionEndpoint(countElementsEndpoint, caller, createCountElementsHandler(parts)),
    bindSessionEndpoint(listFolderEndpoint, caller, createListFolderHandler(parts)),
    bindSessionEndpoint(readPermissionsEndpoint, caller, createReadPermissionsHandler()),
    bindSessionEndpoint(readSpaceEndpoint, caller, createReadSpaceHandler(parts)),
    bindSessionEndpoint(createFolderEndpoint, caller, createCreateFolderHandler(parts)),
    bindSessionEndpoint(deleteFolderEndpoint, caller, createDeleteFolderHandler(parts)),
    bindSessionEndpoint(moveElementEndpoint, caller, createMoveElementHandler(parts)),
    bindTransferEndpoint(downloadArchiveEndpoint, parts, createDownloadArchiveHandler(parts)),
    bindTransferEndpoint(downloadSelectionEndpoint, parts, createDownloadSelectionHandler(parts)),
    ...createResumableUploadRoutes(parts),
    bindSessionEndpoint(readReceiptEndpoint, caller, createReadReceiptHandler(parts)),
    bindEndpoint(listReceiptKeysEndpoint, createListReceiptKeysHandler(parts)),
    bindSessionEndpoint(closeLoginSessionEndpoint, session, createCloseLoginSessionHandler(parts)),
    ...createAccountRoutes(parts),
    bindEndpoint(readFilesOpenapiEndpoint, createReadOpenapiHandler()),
    bindEndpoint(readFilesPageEndpoint, createReadPageHandler()),
  ];
  return routes.map(refuseForeignPages);
}
