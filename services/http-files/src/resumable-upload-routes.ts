import { beginResumableUploadEndpoint } from '@waybill/contracts/endpoints/files/begin-resumable-upload';
import { continueResumableUploadEndpoint } from '@waybill/contracts/endpoints/files/continue-resumable-upload';
import { describeUploadProtocolEndpoint } from '@waybill/contracts/endpoints/files/describe-upload-protocol';
import { inspectResumableUploadEndpoint } from '@waybill/contracts/endpoints/files/inspect-resumable-upload';
import { overrideUploadMethodEndpoint } from '@waybill/contracts/endpoints/files/override-upload-method';
import { terminateResumableUploadEndpoint } from '@waybill/contracts/endpoints/files/terminate-resumable-upload';
import { bindEndpoint } from '@waybill/http-kit/bind-endpoint';
import { bindSessionEndpoint } from '@waybill/http-kit/bind-session-endpoint';
import type { Route } from '@waybill/http-kit/route';
import type { createResumableUploads } from './create-resumable-uploads.ts';
import { beginResumableUploadHandler } from './http/begin-resumable-upload-handler.ts';
import { bindTransferEndpoint, type TransferGuard } from './http/bind-transfer-endpoint.ts';
import { continueResumableUploadHandler } from './http/continue-resumable-upload-handler.ts';
import { describeUploadProtocolHandler } from './http/describe-upload-protocol-handler.ts';
import { inspectResumableUploadHandler } from './http/inspect-resumable-upload-handler.ts';
import { overrideUploadMethodHandler } from './http/override-upload-method-handler.ts';
import { terminateResumableUploadHandler } from './http/terminate-resumable-upload-handler.ts';
import { tusHeaders, withTusVersion } from './http/tus-protocol.ts';

/** What the routes of resumable uploads are made of. */
export interface ResumableUploadRouteParts extends TransferGuard {
  readonly resumableUploads: ReturnType<typeof createResumableUploads>;
  /** Bytes that a file may have. */
  readonly resumableLimitBytes: number | undefined;
}

/** Resumable uploads by tus 1.0. */
export function createResumableUploadRoutes(parts: ResumableUploadRouteParts): Route[] {
  const { resumableUploads: uploads, resumableLimitBytes } = parts;
  const caller = withTusVersion(parts.authenticateCaller);
  const guard = { ...parts, authenticateCaller: caller };
  const routes = [
    bindEndpoint(describeUploadProtocolEndpoint, describeUploadProtocolHandler(resumableLimitBytes)),
    bindTransferEndpoint(beginResumableUploadEndpoint, guard, beginResumableUploadHandler(uploads.beginUpload)),
    bindTransferEndpoint(inspectResumableUploadEndpoint, guard, inspectResumableUploadHandler(uploads.inspectUpload)),
    bindTransferEndpoint(
      continueResumableUploadEndpoint,
      guard,
      continueResumableUploadHandler(uploads.continueUpload),
    ),
    bindSessionEndpoint(
      terminateResumableUploadEndpoint,
      caller,
      terminateResumableUploadHandler(uploads.terminateUpload),
    ),
    bindTransferEndpoint(overrideUploadMethodEndpoint, guard, overrideUploadMethodHandler(uploads)),
  ];
  return routes.map((route) => ({ ...route, headers: tusHeaders }));
}
