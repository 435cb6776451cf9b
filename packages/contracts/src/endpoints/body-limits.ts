import type { RequestBody } from './endpoint.ts';

/** What the body of a request may have at most. */
export interface BodyLimits {
  readonly bytes: number;
  /** Of JSON: it, its lists and objects, and everything in them; each counts as one. */
  readonly values: number;
}

/** The limits of JSON and forms whose contracts have no others: the longest lists of requests fit, of 1 000 objects. */
const usualLimits: BodyLimits = { bytes: 1024 * 1024, values: 6_000 };

/** `limitBytes` of a request with a few short texts, such as a login. */
export const fewTextsBytes = 16 * 1024;

/** `limitBytes` of a request with a key or a certificate, or with a few long texts. */
export const longTextsBytes = 128 * 1024;

/** `limitValues` of a request with the variables of a job: the longest list of a `foreach` fits. */
export const variablesLimit = 12_000;

/** The limits of the body of an endpoint; those of an endpoint without any if it has none. */
export function bodyLimitsOf(body: RequestBody | undefined): BodyLimits {
  if (body === undefined) return { ...usualLimits, bytes: fewTextsBytes };
  if (body.kind === 'stream') return { bytes: Infinity, values: Infinity };
  return {
    bytes: body.limitBytes ?? usualLimits.bytes,
    values: (body.kind === 'json' ? body.limitValues : undefined) ?? usualLimits.values,
  };
}
