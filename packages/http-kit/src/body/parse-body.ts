import type { IncomingHttpHeaders } from 'node:http';
import { bodyLimitsOf } from '@waybill/contracts/endpoints/body-limits';
import type { RequestBody } from '@waybill/contracts/endpoints/endpoint';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { excessOfJson } from './measure-json.ts';

/** A body that is read as a whole according to its contract. */
export type BufferedBody = Exclude<RequestBody, { kind: 'stream' }>;

/**
 * Checks that a request announces a body that the contract accepts.
 * @throws CodedError `malformed_body` without any body, `unsupported_media_type`
 */
export function assertMediaType(body: RequestBody, headers: IncomingHttpHeaders): void {
  const { 'content-type': contentType, 'content-encoding': contentEncoding } = headers;
  const { mediaType, charset } = mediaTypeOf(contentType);
  const accepted = acceptedTypes(body);
  if (contentType === undefined && hasNoBody(headers)) {
    const detail = accepted.includes('*/*')
      ? 'The request has neither a body nor a Content-Type; an empty file needs a Content-Type'
      : `The request has no body; it must be ${accepted.join(' or ')}`;
    throw new CodedError('malformed_body', { detail });
  }
  if (!accepted.includes('*/*') && !accepted.includes(mediaType)) {
    throw new CodedError('unsupported_media_type', { detail: `The content type must be ${accepted.join(' or ')}` });
  }
  if (body.kind === 'stream') return;
  if ((charset ?? 'utf-8').replace('utf8', 'utf-8') !== 'utf-8') {
    throw new CodedError('unsupported_media_type', { detail: 'The charset must be UTF-8' });
  }
  if ((contentEncoding ?? 'identity') !== 'identity') {
    throw new CodedError('unsupported_media_type', { detail: 'A compressed body is not accepted' });
  }
}

/** Fields of a form at most: those of the largest selection of files, and some more. */
const fieldsAtMost = 10_100;

/** Reads the bytes of a JSON or form body. @throws CodedError `malformed_body`, `payload_too_large` */
export function parseBody(body: BufferedBody, bytes: Buffer): unknown {
  if (body.kind === 'form' && hasMoreFields(bytes, fieldsAtMost)) {
    throw new CodedError('malformed_body', { detail: `The form has more than ${fieldsAtMost} fields` });
  }
  const excess = body.kind === 'json' ? excessOfJson(bytes, bodyLimitsOf(body).values) : undefined;
  if (excess) throw excess;
  return parseBytes(body, bytes);
}

function parseBytes(body: BufferedBody, bytes: Buffer): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return body.kind === 'json' ? (JSON.parse(text) as unknown) : valuesOf(new URLSearchParams(text));
  } catch (cause) {
    throw new CodedError('malformed_body', {
      detail: `The body is not ${body.kind === 'json' ? 'JSON' : 'a form'} in UTF-8`,
      cause,
    });
  }
}

/** Counts what separates fields before anything is decoded: that of many fields would take long. */
function hasMoreFields(bytes: Buffer, limit: number): boolean {
  let at = -1;
  for (let fields = 1; fields <= limit; fields += 1) {
    at = bytes.indexOf('&', at + 1);
    if (at === -1) return false;
  }
  return true;
}

function acceptedTypes(body: RequestBody): readonly string[] {
  if (body.kind === 'stream') return body.mediaTypes;
  return body.kind === 'json' ? (body.mediaTypes ?? ['application/json']) : ['application/x-www-form-urlencoded'];
}

/** Whether a request has no body: one is announced by its length, or as chunked. */
export function hasNoBody({ 'content-length': length, 'transfer-encoding': encoding }: IncomingHttpHeaders): boolean {
  return encoding === undefined && Number(length ?? 0) === 0;
}

/** The media type of a `Content-Type` header, in lower case and without parameters, and its charset if it names one. */
export function mediaTypeOf(contentType: string | undefined): { mediaType: string; charset: string | undefined } {
  const [mediaType = '', ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  const charset = parameters.find((parameter) => parameter.startsWith('charset='))?.slice('charset='.length);
  return { mediaType, charset: charset?.replaceAll('"', '') };
}

/** The values of a query or form by name: a string, or a list of them if a name occurs more than once. */
export function valuesOf(parameters: Iterable<[string, string]>): Record<string, string | string[]> {
  const values = new Map<string, string | string[]>();
  for (const [name, value] of parameters) {
    const earlier = values.get(name);
    if (earlier === undefined) values.set(name, value);
    else if (Array.isArray(earlier)) earlier.push(value);
    else values.set(name, [earlier, value]);
  }
  return Object.fromEntries(values);
}
