import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { mediaTypeOf } from '@waybill/http-kit/body/parse-body';
import type { IncomingFile } from '../../domain/uploads/incoming-file.ts';
import { bodyChunks } from './body-chunks.ts';
import { expectedBytesOfBody } from './expected-bytes.ts';
import { refuseUnlabelledForm } from './unlabelled-form.ts';

/**
 * A body that is the content of the file itself. Without a content type, as `curl -T` sends it, it is stored as
 * `application/octet-stream`.
 * @throws CodedError `file_request_invalid`, also while it is read, for a multipart form without a content type
 */
export function rawContent(
  openStream: () => Readable,
  headers: IncomingHttpHeaders,
  signal: AbortSignal,
): IncomingFile {
  const { 'content-type': contentType } = headers;
  const mediaType = storedMediaType(contentType);
  const open = (): AsyncGenerator<Buffer> => {
    const chunks = bodyChunks(openStream(), signal);
    return contentType === undefined ? refuseUnlabelledForm(chunks) : chunks;
  };
  const content = { [Symbol.asyncIterator]: open };
  return { mediaType, content, expectedBytes: expectedBytesOfBody(headers), metadata: async () => ({}) };
}

/** The syntax of a media type (RFC 9110 section 8.3.1). */
const mediaTypeSyntax = /^[\w!#$&^.+-]{1,127}\/[\w!#$&^.+-]{1,127}$/u;

/** The media type to store a file with, as its client sent it. @throws CodedError `file_request_invalid` */
export function storedMediaType(text = 'application/octet-stream'): string {
  const { mediaType } = mediaTypeOf(text);
  if (mediaTypeSyntax.test(mediaType)) return mediaType;
  throw new CodedError('file_request_invalid', { detail: 'The media type of the file is invalid' });
}
