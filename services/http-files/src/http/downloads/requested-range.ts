import type { IncomingHttpHeaders } from 'node:http';
import { CodedError } from '@waybill/contracts/errors/coded-error';

/** Some bytes of a file: from `start` to the one before `end`. */
export interface RequestedRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The one range that a request asks for (RFC 9110 section 14); nothing when the whole file is to be answered: no range,
 * several, one that is not understood, an `If-Range` for another version, or an empty file, which has no part to be named.
 * @throws CodedError `range_not_satisfiable` with `contentRange`
 */
export function requestedRange(
  headers: IncomingHttpHeaders,
  file: { size: number; etag: string },
): RequestedRange | undefined {
  const { size, etag } = file;
  const ifRange = headers['if-range'];
  if (ifRange !== undefined && ifRange !== etag) return undefined;
  const [whole, first = '', last = ''] = /^bytes=(\d*)-(\d*)$/iu.exec(headers.range ?? '') ?? [];
  if (whole === undefined || (first === '' && last === '') || size === 0) return undefined;
  if (first !== '' && last !== '' && Number(last) < Number(first)) return undefined;
  const start = first === '' ? Math.max(0, size - Number(last)) : Number(first);
  const end = first === '' || last === '' ? size : Math.min(size, Number(last) + 1);
  if (start < end) return { start, end };
  throw new CodedError('range_not_satisfiable', { names: { contentRange: `bytes */${size}` } });
}
