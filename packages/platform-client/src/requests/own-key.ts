import { randomUUID } from 'node:crypto';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { isStream, type LooseRequest } from './composed-request.ts';
import { hasValue } from './repetition.ts';

/**
 * Adds the header by which the platform recognises a repetition, with a value of its own, unless the caller has given one: all
 * attempts of one call then have one effect. A body that cannot be sent again needs none.
 */
export function withOwnKey(endpoint: EndpointContract, request: LooseRequest): LooseRequest {
  const { repeatable } = endpoint;
  if (typeof repeatable !== 'object' || repeatable.in !== 'headers' || isStream(request.body)) return request;
  const { headers } = request;
  if (hasValue(headers, repeatable.name)) return request;
  const given = typeof headers === 'object' && headers !== null ? headers : {};
  return { ...request, headers: { ...given, [repeatable.name]: randomUUID() } };
}
