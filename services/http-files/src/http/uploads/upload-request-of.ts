import type { IncomingHttpHeaders } from 'node:http';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { UploadRequest } from '../../domain/uploads/accept-upload.ts';
import { httpDateOf } from '../http-date-of.ts';
import { writeConditionOf } from './write-condition-of.ts';

const partOfFile =
  'content-range: this request stores a whole file; to send a file in parts, begin a resumable upload with POST /2.0/uploads';

/**
 * How an upload is asked for, as its headers say.
 * @throws CodedError `file_request_invalid`, also when the body is a part or a coding of what is to be stored (RFC 9110
 * sections 8.4 and 14.5)
 */
export function uploadRequestOf(headers: IncomingHttpHeaders): UploadRequest {
  const { 'idempotency-key': key, 'content-encoding': encoding = 'identity', 'content-range': range } = headers;
  if (encoding.toLowerCase() !== 'identity') throw invalid('content-encoding: is to be identity');
  if (range !== undefined) throw invalid(partOfFile);
  const condition = writeConditionOf(headers) ?? unmodifiedSinceOf(headers);
  return { condition, idempotencyKey: typeof key === 'string' ? key : undefined };
}

/** `If-Match` counts before it, and where nothing is to be there nothing was modified (RFC 9110 section 13.2.2). */
function unmodifiedSinceOf(headers: IncomingHttpHeaders): UploadRequest['condition'] {
  const since = httpDateOf(headers['if-unmodified-since']);
  return since && { kind: 'unmodified', since };
}

function invalid(detail: string): CodedError {
  return new CodedError('file_request_invalid', { detail });
}
