import type { overrideUploadMethodEndpoint } from '@waybill/contracts/endpoints/files/resumable/override-upload-method';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { TransferringCaller } from '../../domain/access/caller.ts';
import type { ContinueResumableUpload } from '../../domain/resumable/continue-resumable-upload.ts';
import type { TerminateResumableUpload } from '../../domain/resumable/terminate-resumable-upload.ts';
import { progressHeaders } from './tus-protocol.ts';
import { assertPartType, uploadPartOf } from './upload-part-of.ts';

/** Runs the method that a client means that can only send POST. */
export function createOverrideUploadMethodHandler(ports: {
  continueUpload: ContinueResumableUpload;
  terminateUpload: TerminateResumableUpload;
}): SessionHandler<typeof overrideUploadMethodEndpoint, TransferringCaller> {
  return async (request) => {
    const { params, headers, principal: caller } = request;
    if (headers['x-http-method-override'] === 'DELETE') {
      await ports.terminateUpload(caller, params.upload);
      return { status: 204 };
    }
    assertPartType(headers);
    const { 'upload-offset': offset } = headers;
    if (offset === undefined) throw new CodedError('file_request_invalid', { detail: 'upload-offset: is missing' });
    const part = uploadPartOf(request, Number(offset));
    const progress = await ports.continueUpload(caller, params.upload, part);
    return { status: 204, headers: progressHeaders(progress) };
  };
}
