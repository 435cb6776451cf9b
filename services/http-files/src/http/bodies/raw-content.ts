import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import type { IncomingFile } from '../../domain/uploads/incoming-file.ts';
import { bodyChunks } from './body-chunks.ts';
import { expectedBytesOfBody } from './expected-bytes.ts';
import { storedMediaType } from './stored-media-type.ts';
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
