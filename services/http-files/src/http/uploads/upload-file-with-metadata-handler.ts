import type { uploadFileWithMetadataEndpoint } from '@waybill/contracts/endpoints/files/uploads/upload-file-with-metadata';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { TransferringCaller } from '../../domain/access/caller.ts';
import type { FileAccess } from '../../domain/access/file-access.ts';
import { fileTargetIn } from '../../domain/access/file-target.ts';
import type { AcceptedUpload, AcceptUpload } from '../../domain/uploads/accept-upload.ts';
import { expectedBytesInForm } from '../bodies/expected-bytes.ts';
import { metadataOfForm } from '../bodies/metadata-of-form.ts';
import { assertForm, type FormFile, receiveForm } from '../bodies/receive-form.ts';
import { uploadAnswer } from './upload-answer.ts';
import { uploadRequestOf } from './upload-request-of.ts';

/** D3. */
export function createUploadFileWithMetadataHandler(ports: {
  access: FileAccess;
  acceptUpload: AcceptUpload;
}): SessionHandler<typeof uploadFileWithMetadataEndpoint, TransferringCaller> {
  const { access, acceptUpload } = ports;
  return async ({ params, principal: caller, headers, openStream }) => {
    const request = uploadRequestOf(headers);
    const folder = parseVirtualPath(params.path);
    assertForm(headers);
    await access.requireFolderToWrite(caller.mounts, folder);
    const accept = async ({ filename, mediaType, content, fields }: FormFile): Promise<AcceptedUpload> => {
      const place = await access.permitWriting(caller.mounts, fileTargetIn(folder, filename));
      const metadata = async () => metadataOfForm(await fields);
      const expectedBytes = expectedBytesInForm(headers);
      return acceptUpload(caller, place, { mediaType, content, expectedBytes, metadata }, request);
    };
    return uploadAnswer(await receiveForm(openStream(), headers, accept, caller.hold.signal));
  };
}
