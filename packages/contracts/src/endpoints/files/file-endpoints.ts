import type { EndpointContract } from '../endpoint.ts';
import { addOwnSshKeyEndpoint } from './account/add-own-ssh-key.ts';
import { changeOwnPasswordEndpoint } from './account/change-own-password.ts';
import { deleteOwnSshKeyEndpoint } from './account/delete-own-ssh-key.ts';
import { findOwnAccountEndpoint } from './account/find-own-account.ts';
import { listOwnSshKeysEndpoint } from './account/list-own-ssh-keys.ts';
import { listOwnTransfersEndpoint } from './account/list-own-transfers.ts';
import {
  beginOwnSecondFactorEndpoint,
  confirmOwnSecondFactorEndpoint,
  findOwnSecondFactorEndpoint,
  removeOwnSecondFactorEndpoint,
  renewOwnRecoveryCodesEndpoint,
} from './account/own-second-factor-endpoints.ts';
import { endOwnSessionEndpoint, listOwnSessionsEndpoint } from './account/own-session-endpoints.ts';
import { readFilesOpenapiEndpoint } from './document/read-files-openapi.ts';
import { readFilesPageEndpoint } from './document/read-files-page.ts';
import { downloadArchiveEndpoint, downloadSelectionEndpoint } from './downloads/download-archive.ts';
import { downloadFileEndpoint } from './downloads/download-file.ts';
import { countElementsEndpoint } from './elements/count-elements.ts';
import { createFolderEndpoint } from './elements/create-folder.ts';
import { deleteFileEndpoint } from './elements/delete-file.ts';
import { deleteFolderEndpoint } from './elements/delete-folder.ts';
import { listFolderEndpoint } from './elements/list-folder.ts';
import { moveElementEndpoint } from './elements/move-element.ts';
import { readMetadataEndpoint } from './elements/read-metadata.ts';
import { readPermissionsEndpoint } from './elements/read-permissions.ts';
import { readSpaceEndpoint } from './elements/read-space.ts';
import { updateMetadataEndpoint } from './elements/update-metadata.ts';
import { closeLoginSessionEndpoint } from './logins/close-login-session.ts';
import { openLoginSessionEndpoint } from './logins/open-login-session.ts';
import { listReceiptKeysEndpoint } from './receipts/list-receipt-keys.ts';
import { readReceiptEndpoint } from './receipts/read-receipt.ts';
import { beginResumableUploadEndpoint } from './resumable/begin-resumable-upload.ts';
import { continueResumableUploadEndpoint } from './resumable/continue-resumable-upload.ts';
import { describeUploadProtocolEndpoint } from './resumable/describe-upload-protocol.ts';
import { inspectResumableUploadEndpoint } from './resumable/inspect-resumable-upload.ts';
import { overrideUploadMethodEndpoint } from './resumable/override-upload-method.ts';
import { terminateResumableUploadEndpoint } from './resumable/terminate-resumable-upload.ts';
import { uploadFileWithMetadataEndpoint } from './uploads/upload-file-with-metadata.ts';
import { uploadFileEndpoint } from './uploads/upload-file.ts';

/** The title and the description of the OpenAPI document of the file interface. */
export const fileInterface = {
  title: 'Waybill: HTTP file interface',
  version: '2.0',
  description: 'Log in, and list, upload, download, describe and delete files.',
} as const;

/** Every endpoint of area D, D1 to D9 first. */
export const fileEndpoints: readonly EndpointContract[] = [
  openLoginSessionEndpoint,
  uploadFileEndpoint,
  uploadFileWithMetadataEndpoint,
  downloadFileEndpoint,
  deleteFileEndpoint,
  updateMetadataEndpoint,
  readMetadataEndpoint,
  countElementsEndpoint,
  listFolderEndpoint,
  readPermissionsEndpoint,
  readSpaceEndpoint,
  createFolderEndpoint,
  deleteFolderEndpoint,
  moveElementEndpoint,
  downloadArchiveEndpoint,
  downloadSelectionEndpoint,
  describeUploadProtocolEndpoint,
  beginResumableUploadEndpoint,
  inspectResumableUploadEndpoint,
  continueResumableUploadEndpoint,
  terminateResumableUploadEndpoint,
  overrideUploadMethodEndpoint,
  readReceiptEndpoint,
  listReceiptKeysEndpoint,
  closeLoginSessionEndpoint,
  findOwnAccountEndpoint,
  changeOwnPasswordEndpoint,
  listOwnSshKeysEndpoint,
  addOwnSshKeyEndpoint,
  deleteOwnSshKeyEndpoint,
  listOwnSessionsEndpoint,
  endOwnSessionEndpoint,
  findOwnSecondFactorEndpoint,
  beginOwnSecondFactorEndpoint,
  confirmOwnSecondFactorEndpoint,
  renewOwnRecoveryCodesEndpoint,
  removeOwnSecondFactorEndpoint,
  listOwnTransfersEndpoint,
  readFilesOpenapiEndpoint,
  readFilesPageEndpoint,
];
