import type { IncomingHttpHeaders } from 'node:http';

/** What stands between the parts of a form (RFC 2046 section 5.1.1); undefined when its header names nothing. */
export function boundaryOf({ 'content-type': contentType = '' }: IncomingHttpHeaders): string | undefined {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/iu.exec(contentType) ?? [];
  return quoted ?? plain;
}
