import type { EndpointContract } from '../../endpoint.ts';
import { beginResumableUploadEndpoint } from './begin-resumable-upload.ts';
import { closeLoginSessionEndpoint } from './close-login-session.ts';
import { continueResumableUploadEndpoint } from './continue-resumable-upload.ts';
import { countElementsEndpoint } from './count-elements.ts';
import { createFolderEndpoint } from './create-folder.ts';
import { deleteFileEndpoint } from './delete-file.ts';
import { deleteFolderEndpoint } from './delete-folder.ts';
import { describeUploadProtocolEndpoint } from './describe-upload-protocol.ts';
import { downloadArchiveEndpoint } from './download-archive.ts';
import { downloadFileEndpoint } from './download-file.ts';
import { inspectResumableUploadEndpoint } from './inspect-resumable-upload.ts';
import { listFolderEndpoint } from './list-folder.ts';
import { listReceiptKeysEndpoint } from './list-receipt-keys.ts';
import { moveElementEndpoint } from './move-element.ts';
import { openLoginSessionEndpoint } from './open-login-session.ts';
import { overrideUploadMethodEndpoint } from './override-upload-method.ts';
import { readFilesOpenapiEndpoint } from './read-files-openapi.ts';
import { readFilesPageEndpoint } from './read-files-page.ts';
import { readMetadataEndpoint } from './read-metadata.ts';
import { readReceiptEndpoint } from './read-receipt.ts';
import { terminateResumableUploadEndpoint } from './terminate-resumable-upload.ts';
import { updateMetadataEndpoint } from './update-metadata.ts';
import { uploadFileWithMetadataEndpoint } from './upload-file-with-metadata.ts';
import { uploadFileEndpoint } from './upload-file.ts';

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
  createFolderEndpoint,
  deleteFolderEndpoint,
  moveElementEndpoint,
  downloadArchiveEndpoint,
  describeUploadProtocolEndpoint,
  beginResumableUploadEndpoint,
  inspectResumableUploadEndpoint,
  continueResumableUploadEndpoint,
  terminateResumableUploadEndpoint,
  overrideUploadMethodEndpoint,
  readReceiptEndpoint,
  listReceiptKeysEndpoint,
  closeLoginSessionEndpoint,
  readFilesOpenapiEndpoint,
  readFilesPageEndpoint,
];
