import type { continueResumableUploadEndpoint } from '@waybill/contracts/endpoints/files/resumable/continue-resumable-upload';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { TransferringCaller } from '../../domain/access/caller.ts';
import type { ContinueResumableUpload } from '../../domain/resumable/continue-resumable-upload.ts';
import { progressHeaders } from './tus-protocol.ts';
import { uploadPartOf } from './upload-part-of.ts';

/** Continues a resumable upload. */
export function createContinueResumableUploadHandler(ports: {
  continueUpload: ContinueResumableUpload;
}): SessionHandler<typeof continueResumableUploadEndpoint, TransferringCaller> {
  return async (request) => {
    const { params, headers, principal: caller } = request;
    const part = uploadPartOf(request, Number(headers['upload-offset']));
    const progress = await ports.continueUpload(caller, params.upload, part);
    return { status: 204, headers: progressHeaders(progress) };
  };
}
