import { setTimeout } from 'node:timers/promises';
import type { EndpointContract } from '@waybill/contracts/endpoints/endpoint';
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
 * Whether the request has the same effect if it arrives twice: the contract of its endpoint says so, or it does not say, and the
 * method is idempotent by RFC 9110. A change with a condition could be refused because of its own first arrival.
 */
export function isRepeatable(endpoint: EndpointContract, { query, headers, body }: LooseRequest): boolean {
  if (hasValue(headers, 'idempotency-key')) return true;
  if (endpoint.method !== 'GET' && conditions.some((name) => hasValue(headers, name))) return false;
  const { repeatable = repeatableMethods.has(endpoint.method) } = endpoint;
  if (typeof repeatable === 'boolean') return repeatable;
  return hasValue({ query, headers, body }[repeatable.in], repeatable.name);
}

/** Whether a part of a request has a value of this name. */
export function hasValue(part: unknown, name: string): boolean {
  if (typeof part !== 'object' || part === null) return false;
  return Object.entries(part).some(([key, value]) => key === name && value !== undefined);
}

/** Whether the request has had no effect: it never arrived, or was refused by 429 before it was looked at. */
export function wasNeverTaken({ code, status }: PlatformError): boolean {
  return code === 'unreachable' || status === 429;
}

/** Whether the failure may be gone in a moment: the platform did not answer, or not yet. */
export function isPassing(error: PlatformError): boolean {
  const { code, status = 0 } = error;
  return wasNeverTaken(error) || ['interrupted', 'timed_out'].includes(code) || [408, 502, 503, 504].includes(status);
}

/**
 * How long to wait before the next attempt, in milliseconds; `undefined` if there is none. Requests that had no effect are repeated
 * whatever they are.
 */
export function delayBefore(
  attempt: number,
  error: PlatformError,
  request: { readonly isRepeatable: boolean; readonly composed: ComposedRequest },
  policy: RepetitionPolicy,
): number | undefined {
  const { retryAfterSeconds } = error;
  if (!isPassing(error) || !request.composed.isReplayable || attempt >= policy.attempts) return undefined;
  if (!wasNeverTaken(error) && !request.isRepeatable) return undefined;
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
