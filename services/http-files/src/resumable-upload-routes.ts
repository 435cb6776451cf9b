import { beginResumableUploadEndpoint } from '@waybill/contracts/endpoints/files/resumable/begin-resumable-upload';
import { continueResumableUploadEndpoint } from '@waybill/contracts/endpoints/files/resumable/continue-resumable-upload';
import { describeUploadProtocolEndpoint } from '@waybill/contracts/endpoints/files/resumable/describe-upload-protocol';
import { inspectResumableUploadEndpoint } from '@waybill/contracts/endpoints/files/resumable/inspect-resumable-upload';
import { overrideUploadMethodEndpoint } from '@waybill/contracts/endpoints/files/resumable/override-upload-method';
import { terminateResumableUploadEndpoint } from '@waybill/contracts/endpoints/files/resumable/terminate-resumable-upload';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import { bindSessionEndpoint } from '@waybill/http-kit/routing/bind-session-endpoint';
import type { Route } from '@waybill/http-kit/routing/route';
import type { ResumableUploads } from './create-resumable-uploads.ts';
import { bindTransferEndpoint, type TransferGuard } from './http/bind-transfer-endpoint.ts';
import { createBeginResumableUploadHandler } from './http/resumable/begin-resumable-upload-handler.ts';
import { createContinueResumableUploadHandler } from './http/resumable/continue-resumable-upload-handler.ts';
import { createDescribeUploadProtocolHandler } from './http/resumable/describe-upload-protocol-handler.ts';
import { createInspectResumableUploadHandler } from './http/resumable/inspect-resumable-upload-handler.ts';
import { createOverrideUploadMethodHandler } from './http/resumable/override-upload-method-handler.ts';
import { createTerminateResumableUploadHandler } from './http/resumable/terminate-resumable-upload-handler.ts';
import { tusHeaders, withTusVersion } from './http/resumable/tus-protocol.ts';

/** What the routes of resumable uploads need. */
export interface ResumableUploadRouteParts extends TransferGuard {
  readonly resumableUploads: ResumableUploads;
  /** The maximum size of a file in bytes. */
  readonly resumableLimitBytes: number | undefined;
}

/** Resumable uploads by tus 1.0. */
export function createResumableUploadRoutes(parts: ResumableUploadRouteParts): Route[] {
  const { resumableUploads: uploads } = parts;
  const caller = withTusVersion(parts.authenticateCaller);
  const guard = { ...parts, authenticateCaller: caller };
  const routes = [
    bindEndpoint(describeUploadProtocolEndpoint, createDescribeUploadProtocolHandler(parts)),
    bindTransferEndpoint(beginResumableUploadEndpoint, guard, createBeginResumableUploadHandler(uploads)),
    bindTransferEndpoint(inspectResumableUploadEndpoint, guard, createInspectResumableUploadHandler(uploads)),
    bindTransferEndpoint(continueResumableUploadEndpoint, guard, createContinueResumableUploadHandler(uploads)),
    bindSessionEndpoint(terminateResumableUploadEndpoint, caller, createTerminateResumableUploadHandler(uploads)),
    bindTransferEndpoint(overrideUploadMethodEndpoint, guard, createOverrideUploadMethodHandler(uploads)),
  ];
  return routes.map((route) => ({ ...route, headers: tusHeaders }));
}
