import type { IncomingHttpHeaders } from 'node:http';
import type { WriteConditions } from '@waybill/directory/administration/write-in-transaction';

/** The conditions of a request that writes an object. */
export function conditionsOf({
  'if-match': ifMatch,
  'if-none-match': ifNoneMatch,
}: IncomingHttpHeaders): Pick<WriteConditions, 'ifMatch' | 'ifAbsent'> {
  return { ...ifMatchOf(ifMatch), ifAbsent: ifNoneMatch !== undefined };
}

/** The versions in an `If-Match`. Weak tags match none: a version is exact (RFC 9110 section 13.1.1). */
export function ifMatchOf(header: string | undefined): Pick<WriteConditions, 'ifMatch'> {
  if (header === undefined) return {};
  if (header.trim() === '*') return { ifMatch: ['*'] };
  return { ifMatch: [...header.matchAll(/(?<!W\/)"([^"]*)"/gu)].map(([, tag]) => tag ?? '') };
}
