import { CodedError } from '@waybill/contracts/coded-error';
import { type MetadataValues, metadataValuesSchema } from '@waybill/contracts/endpoints/files/metadata-values';
import type { uploadFileWithMetadataEndpoint } from '@waybill/contracts/endpoints/files/upload-file-with-metadata';
import { parseVirtualPath } from '@waybill/contracts/virtual-path';
import type { SessionHandler } from '@waybill/http-kit/bind-session-endpoint';
import type { createAcceptUpload } from '../domain/accept-upload.ts';
import type { Caller } from '../domain/caller.ts';
import type { FileAccess } from '../domain/file-access.ts';
import { fileTargetIn } from '../domain/file-target.ts';
import { expectedBytesInForm } from './expected-bytes.ts';
import { receiveForm } from './receive-form.ts';
import { uploadAnswer } from './upload-answer.ts';
import { uploadRequestOf } from './upload-request-of.ts';

/** D3. */
export function uploadFileWithMetadataHandler(ports: {
  access: FileAccess;
  acceptUpload: ReturnType<typeof createAcceptUpload>;
}): SessionHandler<typeof uploadFileWithMetadataEndpoint, Caller> {
  const { access, acceptUpload } = ports;
  return async ({ params, principal: caller, headers, openStream }) => {
    const request = uploadRequestOf(headers);
    const folder = parseVirtualPath(params.path);
    await access.requireFolder(caller.mounts, folder);
    const accepted = await receiveForm(openStream(), headers, async ({ filename, mediaType, content, fields }) => {
      const place = await access.openPlace(caller.mounts, fileTargetIn(folder, filename), 'upload');
      const metadata = async () => parseMetadata((await fields).get('metadata'));
      const expectedBytes = expectedBytesInForm(headers);
      return acceptUpload(caller, place, { mediaType, content, expectedBytes, metadata }, request);
    });
    return uploadAnswer(accepted);
  };
}

/** Reads the `metadata` field. @throws CodedError `file_request_invalid` */
function parseMetadata(text: string | undefined): MetadataValues {
  if (text === undefined || text.trim() === '') return {};
  try {
    return metadataValuesSchema.parse(JSON.parse(text));
  } catch (cause) {
    throw new CodedError('file_request_invalid', { detail: 'metadata: is to be a flat JSON object of texts', cause });
  }
}
