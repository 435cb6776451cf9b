import type { IncomingHttpHeaders } from 'node:http';
import type { beginResumableUploadEndpoint } from '@waybill/contracts/endpoints/files/resumable/begin-resumable-upload';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { SessionHandler } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { TransferringCaller } from '../../domain/access/caller.ts';
import type { BeginUploadOnce } from '../../domain/resumable/begin-upload-once.ts';
import { progressHeaders } from './tus-protocol.ts';
import { uploadPartOf, assertPartType } from './upload-part-of.ts';
import { uploadPlanOf } from './upload-plan-of.ts';

/** Begins a resumable upload, with its first part if the request has a body. */
export function createBeginResumableUploadHandler(ports: {
  beginUpload: BeginUploadOnce;
}): SessionHandler<typeof beginResumableUploadEndpoint, TransferringCaller> {
  return async (request) => {
    const { headers, principal: caller, baseUrl } = request;
    const plan = uploadPlanOf(headers);
    const withPart = hasBody(headers);
    if (withPart && plan.concatenation?.kind === 'final') throw new CodedError('upload_is_final');
    if (withPart) assertPartType(headers);
    const part = withPart ? uploadPartOf(request, 0) : undefined;
    const { progress, isRepeated } = await ports.beginUpload(caller, plan, part);
    const location = `${baseUrl}/2.0/uploads/${progress.upload.id}`;
    const headersOfAnswer = { Location: location, ...progressHeaders(progress) };
    return { status: 201, headers: { ...headersOfAnswer, ...(isRepeated && { 'Idempotency-Replayed': 'true' }) } };
  };
}

function hasBody({ 'content-length': length, 'transfer-encoding': encoding }: IncomingHttpHeaders): boolean {
  return encoding !== undefined || Number(length ?? 0) > 0;
}
