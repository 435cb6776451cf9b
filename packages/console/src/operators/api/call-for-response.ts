import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { withToken } from './call-endpoint.ts';
import type { EndpointRequest, EndpointResult } from './endpoint-types.ts';
import { failureOf } from './request-failure.ts';
import { fetchEndpoint, openEndpoint, readBody } from './send-endpoint.ts';

/** A response with its headers. */
export interface FullResponse<E extends EndpointContract> {
  readonly body: EndpointResult<E>;
  readonly headers: Headers;
}

/** Like `callEndpoint`, for endpoints whose headers matter, in the request or in the response. @throws RequestFailure */
export async function callForResponse<E extends EndpointContract>(
  endpoint: E,
  request: EndpointRequest<E>,
  headers: Readonly<Record<string, string>> = {},
): Promise<FullResponse<E>> {
  return withToken(async (token) => {
    const response = await fetchEndpoint(endpoint, request, token, headers);
    return { body: readBody(endpoint, response) as EndpointResult<E>, headers: response.headers };
  });
}

/** Saves what an endpoint sends as a file. @throws RequestFailure */
export async function saveResponse<E extends EndpointContract>(
  endpoint: E,
  request: EndpointRequest<E>,
  fileName: string,
): Promise<void> {
  const content = await withToken(async (token) => {
    const response = await openEndpoint(endpoint, request, token);
    if (!response.ok) throw failureOf(response.status, await response.text());
    return response.blob();
  });
  const address = URL.createObjectURL(content);
  const link = document.createElement('a');
  link.href = address;
  link.download = fileName;
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
