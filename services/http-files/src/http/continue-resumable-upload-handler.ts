import type { continueResumableUploadEndpoint } from '@waybill/contracts/endpoints/files/continue-resumable-upload';
import type { SessionHandler } from '@waybill/http-kit/bind-session-endpoint';
import type { Caller } from '../domain/caller.ts';
import type { createContinueResumableUpload } from '../domain/continue-resumable-upload.ts';
import { progressHeaders } from './progress-headers.ts';
import { uploadPartOf } from './upload-part-of.ts';

/** Going on with a resumable upload. */
export function continueResumableUploadHandler(
  continueUpload: ReturnType<typeof createContinueResumableUpload>,
): SessionHandler<typeof continueResumableUploadEndpoint, Caller> {
  return async ({ params, headers, principal: caller, openStream }) => {
    const part = uploadPartOf(openStream, headers, Number(headers['upload-offset']));
    const progress = await continueUpload(caller, params.upload, part);
    return { status: 204, headers: progressHeaders(progress) };
  };
}
