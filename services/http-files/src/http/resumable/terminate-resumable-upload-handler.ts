import type { terminateResumableUploadEndpoint } from '@waybill/contracts/endpoints/files/resumable/terminate-resumable-upload';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Caller } from '../../domain/access/caller.ts';
import type { createTerminateResumableUpload } from '../../domain/resumable/terminate-resumable-upload.ts';

/** Giving a resumable upload up. */
export function terminateResumableUploadHandler(
  terminateUpload: ReturnType<typeof createTerminateResumableUpload>,
): SessionHandler<typeof terminateResumableUploadEndpoint, Caller> {
  return async ({ params, principal: caller }) => {
    await terminateUpload(caller, params.upload);
    return { status: 204 };
  };
}
