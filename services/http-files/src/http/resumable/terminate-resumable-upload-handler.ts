import type { terminateResumableUploadEndpoint } from '@waybill/contracts/endpoints/files/resumable/terminate-resumable-upload';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Caller } from '../../domain/access/caller.ts';
import type { TerminateResumableUpload } from '../../domain/resumable/terminate-resumable-upload.ts';

/** Discards a resumable upload. */
export function createTerminateResumableUploadHandler(ports: {
  terminateUpload: TerminateResumableUpload;
}): SessionHandler<typeof terminateResumableUploadEndpoint, Caller> {
  return async ({ params, principal: caller }) => {
    await ports.terminateUpload(caller, params.upload);
    return { status: 204 };
  };
}
