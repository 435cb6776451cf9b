import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import type { PlatformError } from '../platform-error.ts';
import type { LooseRequest } from './composed-request.ts';
import { hasValue } from './repetition.ts';

/**
 * The response to a DELETE whose repetition was refused because nothing is left to delete: an earlier attempt, whose response was
 * lost, has deleted it. `undefined` for any other refusal, and for that of a dry run, which deletes nothing.
 */
export function responseToRepeatedDeletion(
  { alreadyDeleted }: EndpointContract,
  { query }: LooseRequest,
  { code, status }: PlatformError,
) {
  if (!alreadyDeleted || status !== 404 || code !== alreadyDeleted.code || hasValue(query, 'dryRun')) return undefined;
  return { status: alreadyDeleted.status, headers: {}, body: alreadyDeleted.body?.() };
}
