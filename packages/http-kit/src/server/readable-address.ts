import type { RequestHandler } from 'express';
import { exchangeOf } from '../exchange/exchange.ts';

/**
 * Routes an address with invalid percent-encoding to its route, where it is refused in the order of checks: the
 * router would refuse it before the caller is authenticated.
 */
export function readableAddress(): RequestHandler {
  return (request, _response, next) => {
    const [path = '', ...query] = request.url.split('?');
    if (path.includes('%') && !isDecodable(path)) {
      exchangeOf(request).hasBrokenAddress = true;
      request.url = [path.replaceAll('%', '%25'), ...query].join('?');
    }
    next();
  };
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}
