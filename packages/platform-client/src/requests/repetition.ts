import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
import { z } from 'zod';
import type { PlatformError } from '../platform-error.ts';
import type { ComposedRequest, LooseRequest } from './composed-request.ts';

/** How a client repeats requests. */
export interface RepetitionPolicy {
  /** Attempts of one call, the first included. */
  readonly attempts: number;
  /** The longest wait before the second attempt; it doubles with each further one, and is chosen at random below that. */
  readonly firstDelayMs: number;
  /** No wait is longer; a `Retry-After` beyond it is an error at once. */
  readonly longestDelayMs: number;
}

/** The policy without others: four attempts within about two seconds. */
export const usualRepetition: RepetitionPolicy = { attempts: 4, firstDelayMs: 300, longestDelayMs: 30_000 };

const repeatableMethods: ReadonlySet<EndpointContract['method']> = new Set(['GET', 'HEAD', 'OPTIONS', 'PUT', 'DELETE']);
const conditions = ['if-match', 'if-none-match', 'if-unmodified-since'];

/**
 * Whether the request has the same effect if it arrives twice: a method that is idempotent by RFC 9110, or an endpoint whose
 * contract says so. A change with a condition could be refused because of its own first arrival.
 */
export function isRepeatable(endpoint: EndpointContract, { query, headers, body }: LooseRequest): boolean {
  const has = (part: unknown, name: string): boolean =>
    typeof part === 'object' &&
    part !== null &&
    Object.entries(part).some(([key, value]) => key === name && value !== undefined);
  if (has(headers, 'idempotency-key')) return true;
  if (endpoint.method !== 'GET' && conditions.some((name) => has(headers, name))) return false;
  if (repeatableMethods.has(endpoint.method)) return true;
  const { repeatable } = endpoint;
  if (repeatable === undefined || repeatable === true) return repeatable === true;
  return has({ query, headers, body }[repeatable.in], repeatable.name);
}

/**
 * The request with a key of its own, if the platform recognises a repetition by one and none is given: a file that is uploaded
 * twice is two files, although PUT is idempotent by RFC 9110.
 */
export function withOwnKey(endpoint: EndpointContract, request: LooseRequest): LooseRequest {
  const { headers: schema } = endpoint;
  const takesKey = schema instanceof z.ZodObject && 'idempotency-key' in schema.shape;
  if (!takesKey || !isRepeatable(endpoint, request)) return request;
  const given = typeof request.headers === 'object' ? request.headers : {};
  return { ...request, headers: { 'idempotency-key': randomUUID(), ...given } };
}

/** Whether a failed request cannot have had an effect: it did not arrive, or was refused by 429. */
export function wasNeverTaken({ code, status }: PlatformError): boolean {
  return code === 'unreachable' || status === 429;
}

/**
 * How long to wait before the next attempt, in milliseconds; `undefined` if there is none. Requests that never arrived, and
 * those refused by 429, had no effect and are repeated whatever they are.
 */
export function delayBefore(
  attempt: number,
  error: PlatformError,
  request: { readonly isRepeatable: boolean; readonly composed: ComposedRequest },
  policy: RepetitionPolicy,
): number | undefined {
  const { code, status, retryAfterSeconds } = error;
  const neverTaken = wasNeverTaken(error);
  const mayHelp =
    neverTaken || ['interrupted', 'timed_out'].includes(code) || [408, 502, 503, 504].includes(status ?? 0);
  if (!mayHelp || !request.composed.isReplayable || attempt >= policy.attempts) return undefined;
  if (!neverTaken && !request.isRepeatable) return undefined;
  const longest = Math.min(policy.longestDelayMs, policy.firstDelayMs * 2 ** (attempt - 1));
  const jittered = Math.random() * longest;
  if (retryAfterSeconds === undefined) return jittered;
  const asked = retryAfterSeconds * 1_000;
  return asked > policy.longestDelayMs ? undefined : asked + jittered;
}

/** Waits, unless the signal ends it. */
export async function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  await setTimeout(delayMs, undefined, signal ? { signal } : {});
}
