import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import type { ErrorCode } from '@waybill/contracts/errors/error-codes';

/** Failures of the server itself, if there is no endpoint or before the endpoint is known. */
export const unroutedFailureCodes: readonly ErrorCode[] = [
  'route_not_found',
  'method_not_allowed',
  'request_timeout',
  'address_too_long',
  'headers_too_large',
];

/**
 * Every code that an endpoint may fail with: its own, and those with which the server refuses a request before it calls
 * the handler.
 */
export function failureCodesOf(endpoint: EndpointContract): ErrorCode[] {
  return [...new Set([...sharedCodes(endpoint), ...endpoint.errors])];
}

function sharedCodes({
  method,
  authentication,
  params,
  query,
  body,
  invalidRequestCode,
}: EndpointContract): ErrorCode[] {
  const codes: ErrorCode[] = ['internal_error', 'service_unavailable'];
  if (authentication.kind !== 'none') codes.push('not_authenticated');
  // Browsers add the cookies of a login session to what pages of other sites send.
  if (authentication.kind === 'login-session' && method !== 'GET' && method !== 'HEAD')
    codes.push('foreign_page_refused');
  if (authentication.kind === 'bearer' && authentication.permission !== undefined) codes.push('not_permitted');
  // At the management interfaces, a parameter that the endpoint does not have is refused.
  if (params || query || body || authentication.kind === 'bearer')
    codes.push(invalidRequestCode ?? 'validation_failed');
  if (body) codes.push(...(invalidRequestCode === undefined ? (['unsupported_media_type'] as const) : []));
  if (body && body.kind !== 'stream') codes.push('payload_too_large');
  return codes;
}
