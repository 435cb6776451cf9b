import type { RequestHandler } from 'express';
import { exchangeOf } from '../exchange/exchange.ts';

/**
 * Has an address whose percent-encoding is broken find its route all the same, where it is refused in its turn: the router
 * would refuse it before anybody has asked who calls.
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
