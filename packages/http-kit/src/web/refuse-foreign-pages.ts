import { CodedError } from '@waybill/contracts/errors/coded-error';
import { failureCodesOf } from '../failures/failure-codes.ts';
import type { RequestContext } from '../routing/endpoint-request.ts';
import type { Route } from '../routing/route.ts';

/**
 * Refuses what a page of another site has a browser send, at the routes whose contracts say so: it would log the user in as
 * somebody else, or act with the user's session. `SameSite=Lax` prevents neither a login nor what sibling domains send.
 */
export function refuseForeignPages(route: Route): Route {
  const { endpoint, authenticate } = route;
  if (!failureCodesOf(endpoint).includes('foreign_page_refused')) return route;
  const isForeign = endpoint.method === 'GET' ? isForeignNavigation : isForeignChange;
  return {
    ...route,
    authenticate: async (context) => {
      if (isForeign(context)) throw new CodedError('foreign_page_refused');
      return await authenticate?.(context);
    },
  };
}

/** A link on a page of another site, since nothing else has cookies there: the user may not know that it counts as a download. */
function isForeignNavigation({ headers }: RequestContext): boolean {
  return headers['sec-fetch-site'] === 'cross-site';
}

/** Browsers that send no `Sec-Fetch-Site` send `Origin` with every change. Programs send neither. */
function isForeignChange({ headers, baseUrl }: RequestContext): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (typeof site === 'string') return site !== 'same-origin' && site !== 'none';
  if (origin === undefined) return false;
  // Not the scheme: a proxy that ends TLS may not report it.
  return ![host, new URL(baseUrl).host].includes(hostOf(origin));
}

/** `null`, and what is no address, have no host. */
function hostOf(origin: string): string {
  return URL.canParse(origin) ? new URL(origin).host : 'null';
}
