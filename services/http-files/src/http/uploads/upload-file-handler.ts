import type { uploadFileEndpoint } from '@waybill/contracts/endpoints/files/uploads/upload-file';
import { mediaTypeOf } from '@waybill/http-kit/body/parse-body';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { TransferringCaller } from '../../domain/access/caller.ts';
import type { FileAccess } from '../../domain/access/file-access.ts';
import { fileTargetOf } from '../../domain/access/file-target.ts';
import type { AcceptUpload } from '../../domain/uploads/accept-upload.ts';
import type { IncomingFile } from '../../domain/uploads/incoming-file.ts';
import { expectedBytesInForm } from '../bodies/expected-bytes.ts';
import { metadataOfForm } from '../bodies/metadata-of-form.ts';
import { rawContent } from '../bodies/raw-content.ts';
import { assertForm, receiveForm } from '../bodies/receive-form.ts';
import { uploadAnswer } from './upload-answer.ts';
import { uploadRequestOf } from './upload-request-of.ts';

/** D2; metadata may be sent with a form as for D3, and any other body is the file content. */
export function createUploadFileHandler(ports: {
  access: FileAccess;
  acceptUpload: AcceptUpload;
}): SessionHandler<typeof uploadFileEndpoint, TransferringCaller> {
  const { access, acceptUpload } = ports;
  return async ({ params, principal: caller, headers, openStream }) => {
    const request = uploadRequestOf(headers);
    const target = fileTargetOf(params.path);
    const isForm = mediaTypeOf(headers['content-type']).mediaType === 'multipart/form-data';
    // Errors of the request are reported before errors of the path.
    const raw = isForm ? assertForm(headers) : rawContent(openStream, headers, caller.hold.signal);
    const place = await access.permitWriting(caller.mounts, target);
    const accept = (incoming: IncomingFile) => acceptUpload(caller, place, incoming, request);
    if (raw !== undefined) return uploadAnswer(await accept(raw));
    const accepted = await receiveForm(
      openStream(),
      headers,
      ({ mediaType, content, fields }) =>
        accept({
          mediaType,
          content,
          expectedBytes: expectedBytesInForm(headers),
          metadata: () => fields.then(metadataOfForm),
        }),
      caller.hold.signal,
    );
    return uploadAnswer(accepted);
  };
}
