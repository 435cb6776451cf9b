import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/** Hop-by-hop headers (RFC 9110, section 7.6.1), and headers that the edge handles or sets itself. */
const notPassedOn = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The headers of a message that are forwarded to the other side. */
export function endToEndHeaders(message: IncomingMessage): OutgoingHttpHeaders {
  const named = new Set((message.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  return Object.fromEntries(
    Object.entries(message.headersDistinct).filter(([name]) => !notPassedOn.has(name) && !named.has(name)),
  );
}

/** Scheme and host of a target that has them. */
const absoluteTarget = /^https?:\/\/(?<host>[^/?]*)/iu;

/**
 * The headers for the service: those of the client, and the client's real address instead of any that it claims.
 * The transfer coding is passed on unchanged; the service refuses all but `chunked`.
 */
export function forwardedHeaders(req: IncomingMessage): OutgoingHttpHeaders {
  const host = req.headers.host ?? '127.0.0.1';
  const coding = req.headers['transfer-encoding'];
  return {
    ...endToEndHeaders(req),
    host,
    'x-forwarded-for': req.socket.remoteAddress ?? '127.0.0.1',
    // A host in the target takes precedence over the header (RFC 9112, section 3.2.2).
    'x-forwarded-host': absoluteTarget.exec(req.url ?? '')?.groups?.['host'] ?? host,
    'x-forwarded-proto': 'http',
    // A body of unknown length is forwarded as one, also for methods that seldom have a body.
    ...(coding === undefined ? {} : { 'transfer-encoding': coding }),
  };
}
