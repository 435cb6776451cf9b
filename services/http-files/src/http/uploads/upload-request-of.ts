import type { IncomingHttpHeaders } from 'node:http';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { UploadRequest } from '../../domain/uploads/accept-upload.ts';
import { httpDateOf } from '../preconditions-of.ts';
import { writeConditionOf } from './write-condition-of.ts';

const partOfFile =
  'content-range: this request stores a whole file; to send a file in parts, begin a resumable upload with POST /2.0/uploads';

/**
 * The request of an upload, by its headers.
 * @throws CodedError `file_request_invalid`, also if the body is a range or an encoding of the content (RFC 9110
 * sections 8.4 and 14.5)
 */
export function uploadRequestOf(headers: IncomingHttpHeaders): UploadRequest {
  const { 'idempotency-key': key, 'content-encoding': encoding = 'identity', 'content-range': range } = headers;
  if (encoding.toLowerCase() !== 'identity') throw invalid('content-encoding: must be identity');
  if (range !== undefined) throw invalid(partOfFile);
  const condition = writeConditionOf(headers) ?? unmodifiedSinceOf(headers);
  return { condition, idempotencyKey: typeof key === 'string' ? key : undefined };
}

/** `If-Match` takes precedence, and a file that does not exist yet has not been modified (RFC 9110 section 13.2.2). */
function unmodifiedSinceOf(headers: IncomingHttpHeaders): UploadRequest['condition'] {
  const since = httpDateOf(headers['if-unmodified-since']);
  return since && { kind: 'unmodified', since };
}

function invalid(detail: string): CodedError {
  return new CodedError('file_request_invalid', { detail });
}
