import type { IncomingHttpHeaders } from 'node:http';
import type { EntityTags, Preconditions } from '../domain/access/preconditions.ts';

/**
 * The preconditions of a request (RFC 9110 section 13.1). Invalid dates are ignored, and so is `If-Modified-Since` for
 * a change.
 */
export function preconditionsOf(headers: IncomingHttpHeaders, request: 'read' | 'change'): Preconditions {
  return {
    match: entityTagsOf(headers['if-match']),
    noneMatch: entityTagsOf(headers['if-none-match']),
    unmodifiedSince: httpDateOf(headers['if-unmodified-since']),
    modifiedSince: request === 'read' ? httpDateOf(headers['if-modified-since']) : undefined,
  };
}

function entityTagsOf(header: string | undefined): EntityTags | undefined {
  if (header === undefined) return undefined;
  if (header.trim() === '*') return 'anything';
  return [...header.matchAll(/(?<weak>W\/)?"(?<tag>[^"]*)"/gu)].map(({ groups }) => ({
    isWeak: groups?.['weak'] !== undefined,
    tag: groups?.['tag'] ?? '',
  }));
}

/**
 * A date in one of its three forms (RFC 9110 section 5.6.7), of which that of `asctime` has no zone; undefined
 * otherwise.
 */
export function httpDateOf(header: string | undefined): Date | undefined {
  if (header === undefined) return undefined;
  const isAsctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/u.test(header);
  if (!isAsctime && !/^[A-Z][a-z]+, .* GMT$/u.test(header)) return undefined;
  const date = new Date(isAsctime ? `${header} GMT` : header);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
