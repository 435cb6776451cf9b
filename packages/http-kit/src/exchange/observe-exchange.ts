import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { RequestHandler } from 'express';
import { exchangeOf } from './exchange.ts';
import type { HttpEvents } from './http-events.ts';

/** In every response: no sniffing, framing, shared caching or active content (OWASP secure headers). */
const securityHeaders = {
  'Cache-Control': 'no-store',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
} as const satisfies Record<string, string>;

/** Additional header of responses over HTTPS. */
const strictTransportSecurity = 'max-age=31536000';

/** Long enough for the longest path (4096 bytes, each percent-encoded) and a query. */
const addressLimit = 16 * 1024;

/**
 * The first handler: counts and logs the request, sets the headers of every response, and refuses addresses that are
 * too long.
 */
export function observeExchange(events: HttpEvents): RequestHandler {
  return (request, response, next) => {
    const exchange = exchangeOf(request);
    events.requestStarted();
    response.once('close', () =>
      events.requestAnswered({
        method: request.method,
        path: request.path,
        endpoint: exchange.endpoint,
        // As in nginx: the client closed the connection before the response.
        status: response.headersSent ? response.statusCode : 499,
        complete: response.writableFinished,
        durationMs: performance.now() - exchange.startedAtMs,
        clientAddress: exchange.origin.address,
        caller: exchange.caller,
      }),
    );
    response.set(securityHeaders).set('X-Request-Id', exchange.requestId);
    if (exchange.origin.scheme === 'https') response.set('Strict-Transport-Security', strictTransportSecurity);
    if (request.originalUrl.length > addressLimit) {
      throw new CodedError('address_too_long', { detail: `An address has at most ${addressLimit} characters` });
    }
    next();
  };
}
