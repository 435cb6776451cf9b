import type { IncomingHttpHeaders } from 'node:http';
import { CodedError } from '@waybill/contracts/errors/coded-error';

/** A range of bytes of a file: from `start` to `end`, exclusive. */
export interface RequestedRange {
  readonly start: number;
  readonly end: number;
}

/**
 * The range that a request asks for (RFC 9110 section 14); undefined if the response is the whole file: no range,
 * several, an invalid one, an `If-Range` for another version, or an empty file, which has no ranges.
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
