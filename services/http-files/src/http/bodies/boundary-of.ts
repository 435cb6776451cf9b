import type { IncomingHttpHeaders } from 'node:http';

/** The boundary between the parts of a form (RFC 2046 section 5.1.1); undefined if its header names none. */
export function boundaryOf({ 'content-type': contentType = '' }: IncomingHttpHeaders): string | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/iu.exec(contentType) ?? [];
  return quoted ?? plain;
}
