import type { IncomingHttpHeaders } from 'node:http';
import type { EntityTags, Preconditions } from '../domain/access/preconditions.ts';
import { httpDateOf } from './http-date-of.ts';

/**
 * The conditions of a request for what is there (RFC 9110 section 13.1). A date that is none counts for nothing, and so
 * does `If-Modified-Since` where something is to be changed.
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
