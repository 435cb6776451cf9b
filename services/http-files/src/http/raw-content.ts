import type { IncomingHttpHeaders } from 'node:http';
import { CodedError } from '@waybill/contracts/coded-error';
import type { EndpointContract } from '@waybill/contracts/endpoint';
import type { EndpointRequest } from '@waybill/http-kit/endpoint-request';
import type { IncomingFile } from '../domain/incoming-file.ts';
import { bodyChunks } from './body-chunks.ts';
import { expectedBytesOfBody } from './expected-bytes.ts';
import { storedMediaType } from './stored-media-type.ts';

/** A body, to be read in either way. */
type RawBody = Pick<EndpointRequest<EndpointContract>, 'openStream' | 'openBlocks'>;

/**
 * A body that is the content of the file itself.
 * @throws CodedError `file_request_invalid` when it has no content type: a form that lost its header must not be stored
 * for a file
 */
export function rawContent({ openStream, openBlocks }: RawBody, headers: IncomingHttpHeaders): IncomingFile {
  const { 'content-type': contentType } = headers;
  if (contentType === undefined) throw invalid('content-type: is missing');
  const mediaType = storedMediaType(contentType);
  const content = { [Symbol.asyncIterator]: () => bodyChunks(openStream()) };
  const expectedBytes = expectedBytesOfBody(headers);
  return { mediaType, content, contentIn: openBlocks, expectedBytes, metadata: async () => ({}) };
}

function invalid(detail: string): CodedError {
  return new CodedError('file_request_invalid', { detail });
}
