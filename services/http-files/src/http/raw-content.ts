import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { CodedError } from '@waybill/contracts/coded-error';
import type { IncomingFile } from '../domain/incoming-file.ts';
import { bodyChunks } from './body-chunks.ts';
import { expectedBytesOfBody } from './expected-bytes.ts';
import { storedMediaType } from './stored-media-type.ts';

/**
 * A body that is the content of the file itself.
 * @throws CodedError `file_request_invalid` when it has no content type: a form that lost its header must not be stored
 * for a file
 */
export function rawContent(openStream: () => Readable, headers: IncomingHttpHeaders): IncomingFile {
  const { 'content-type': contentType } = headers;
  if (contentType === undefined) throw invalid('content-type: is missing');
  const mediaType = storedMediaType(contentType);
  const content = { [Symbol.asyncIterator]: () => bodyChunks(openStream()) };
  return { mediaType, content, expectedBytes: expectedBytesOfBody(headers), metadata: async () => ({}) };
}

function invalid(detail: string): CodedError {
  return new CodedError('file_request_invalid', { detail });
}
