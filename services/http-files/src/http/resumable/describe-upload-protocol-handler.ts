import type { describeUploadProtocolEndpoint } from '@waybill/contracts/endpoints/files/resumable/describe-upload-protocol';
import type { EndpointHandler } from '@waybill/http-kit/routing/bind-endpoint';
import { tusCapabilities } from './tus-protocol.ts';

/** Describes the supported parts of tus. */
export function createDescribeUploadProtocolHandler(ports: {
  resumableLimitBytes: number | undefined;
}): EndpointHandler<typeof describeUploadProtocolEndpoint> {
  const { resumableLimitBytes: limitBytes } = ports;
  const headers = { ...tusCapabilities, ...(limitBytes !== undefined && { 'Tus-Max-Size': String(limitBytes) }) };
  return async () => ({ status: 204, headers });
}
