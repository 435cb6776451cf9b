import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { withToken } from './call-endpoint.ts';
import type { LooseRequest } from './endpoint-types.ts';
import { failureOf } from './request-failure.ts';
import { fetchEndpoint } from './send-endpoint.ts';

/**
 * Calls an endpoint whose request and response are of many kinds, such as that of the objects of the configuration: they are taken as
 * they come, and checked by the server. @throws RequestFailure
 */
export function callUntyped(
  endpoint: EndpointContract,
  values: LooseRequest,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ readonly text: string; readonly etag: string }> {
  return withToken(async (token) => {
    const { ok, status, text, headers: received } = await fetchEndpoint(endpoint, values, token, headers);
    if (!ok) throw failureOf(status, text);
    return { text, etag: received.get('etag') ?? '' };
  });
}
