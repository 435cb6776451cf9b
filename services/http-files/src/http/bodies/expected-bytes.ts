import type { IncomingHttpHeaders } from 'node:http';
import type { IncomingFile } from '../../domain/uploads/incoming-file.ts';

/** The maximum size of a form without its file: its texts, and the lines between them. See `receive-form`. */
const formBytesAtMost = 17 * 1024 * 1024;

/** The size of a file that is the whole body; undefined if the client does not send it (RFC 9112 section 6.1). */
export function expectedBytesOfBody(headers: IncomingHttpHeaders): IncomingFile['expectedBytes'] {
  const length = headers['content-length'];
  if (length === undefined) return undefined;
  return { atLeast: Number(length), atMost: Number(length) };
}

/** What the size of a body implies for the size of the file in its form. */
export function expectedBytesInForm(headers: IncomingHttpHeaders): IncomingFile['expectedBytes'] {
  const body = expectedBytesOfBody(headers);
  return body && { atLeast: Math.max(0, body.atLeast - formBytesAtMost), atMost: body.atMost };
}
