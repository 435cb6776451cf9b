import type { IncomingHttpHeaders } from 'node:http';
import type { EntityTags, Preconditions } from '../domain/preconditions.ts';

/**
 * The conditions of a request for what is there (RFC 9110 section 13.1). A date that is none counts for nothing, and so
 * does `If-Modified-Since` where something is to be changed.
 */
export function preconditionsOf(headers: IncomingHttpHeaders, request: 'read' | 'change'): Preconditions {
  return {
    match: entityTagsOf(headers['if-match']),
    noneMatch: entityTagsOf(headers['if-none-match']),
    unmodifiedSince: dateOf(headers['if-unmodified-since']),
    modifiedSince: request === 'read' ? dateOf(headers['if-modified-since']) : undefined,
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

/** One of the three forms of a date (RFC 9110 section 5.6.7); that of `asctime` does not name its zone. */
function dateOf(header: string | undefined): Date | undefined {
  if (header === undefined) return undefined;
  const isAsctime = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4}$/u.test(header);
  if (!isAsctime && !/^[A-Z][a-z]+, .* GMT$/u.test(header)) return undefined;
  const date = new Date(isAsctime ? `${header} GMT` : header);
  return Number.isNaN(date.getTime()) ? undefined : date;
}
