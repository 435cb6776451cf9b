import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

/** Headers between two neighbours alone (RFC 9110, section 7.6.1), and what the edge answers or says itself. */
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

/** The headers of a message that go on to the other side. */
export function endToEndHeaders(message: IncomingMessage): OutgoingHttpHeaders {
  const named = new Set((message.headers.connection ?? '').split(',').map((name) => name.trim().toLowerCase()));
  return Object.fromEntries(
    Object.entries(message.headersDistinct).filter(([name]) => !notPassedOn.has(name) && !named.has(name)),
  );
}

/** Scheme and host of a target that has them. */
const absoluteTarget = /^https?:\/\/(?<host>[^/?]*)/iu;

/**
 * The headers for the service: those of the client, and who the client is, whatever it claims itself. A coding of the body
 * reaches the service as it came, which refuses all but `chunked`.
 */
export function forwardedHeaders(req: IncomingMessage): OutgoingHttpHeaders {
  const host = req.headers.host ?? '127.0.0.1';
  const coding = req.headers['transfer-encoding'];
  return {
    ...endToEndHeaders(req),
    host,
    'x-forwarded-for': req.socket.remoteAddress ?? '127.0.0.1',
    // A host in the target counts before the header (RFC 9112, section 3.2.2).
    'x-forwarded-host': absoluteTarget.exec(req.url ?? '')?.groups?.['host'] ?? host,
    'x-forwarded-proto': 'http',
    // A body of unknown length stays one, also for methods that seldom have a body.
    ...(coding === undefined ? {} : { 'transfer-encoding': coding }),
  };
}
