import type { inspectResumableUploadEndpoint } from '@waybill/contracts/endpoints/files/resumable/inspect-resumable-upload';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { TransferringCaller } from '../../domain/access/caller.ts';
import type { InspectResumableUpload } from '../../domain/resumable/inspect-resumable-upload.ts';
import { progressHeaders } from './tus-protocol.ts';
import { concatenationHeader } from './upload-shape.ts';

/** Returns the progress of a resumable upload. */
export function createInspectResumableUploadHandler(ports: {
  inspectUpload: InspectResumableUpload;
}): SessionHandler<typeof inspectResumableUploadEndpoint, TransferringCaller> {
  return async ({ params, principal: caller }) => {
    const progress = await ports.inspectUpload(caller, params.upload);
    const { length, description, concatenation } = progress.upload;
    const headers = {
      ...progressHeaders(progress),
      ...(length === undefined ? { 'Upload-Defer-Length': '1' } : { 'Upload-Length': String(length) }),
      ...(description !== '' && { 'Upload-Metadata': description }),
      ...(concatenation && { 'Upload-Concat': concatenationHeader(concatenation) }),
      'Cache-Control': 'no-store',
    };
    return { status: 200, headers };
  };
}
