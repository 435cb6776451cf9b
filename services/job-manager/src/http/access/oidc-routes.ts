import {
  beginOidcConsoleLoginEndpoint,
  finishOidcConsoleLoginEndpoint,
} from '@waybill/contracts/endpoints/access/oidc-console-endpoints';
import {
  beginOidcDeviceLoginEndpoint,
  beginOidcLoginEndpoint,
  finishOidcDeviceLoginEndpoint,
  finishOidcLoginEndpoint,
} from '@waybill/contracts/endpoints/access/oidc-endpoints';
import { readCookies } from '@waybill/http-kit/body/read-cookies';
import { bindEndpoint } from '@waybill/http-kit/routing/bind-endpoint';
import type { Route } from '@waybill/http-kit/routing/route';
import { refuseForeignPages } from '@waybill/http-kit/web/refuse-foreign-pages';
import { isOfConsole, type OidcLogins } from '../../domain/access/oidc-logins.ts';
import { presentTokens } from './present-tokens.ts';

const cookieName = 'waybill-oidc';
const headers = { 'cache-control': 'no-store' };

/** The endpoints of logins with an outside issuer. */
export function createOidcRoutes(logins: OidcLogins): Route[] {
  const routes = [
    bindEndpoint(beginOidcLoginEndpoint, async () => {
      const { address, cookie } = await logins.begin('program');
      return {
        status: 302,
        headers: { ...headers, location: address },
        cookies: [{ name: cookieName, value: cookie }],
      };
    }),
    bindEndpoint(finishOidcLoginEndpoint, async ({ query, clientAddress, headers: sent }) => {
      // Only the page sees what follows the `#`: it is in no log and no `Referer`. The address has no part that a request chooses.
      if (isOfConsole(query.state)) {
        return { status: 302, headers: { ...headers, location: `/console/#oidc?${textOf(query)}` } };
      }
      const cookie = readCookies(sent.cookie).get(cookieName);
      const tokens = await logins.finish({ query: textOf(query), state: query.state, cookie, clientAddress });
      return { ...presentTokens(tokens), cookies: [{ name: cookieName, value: '' }] };
    }),
    bindEndpoint(beginOidcConsoleLoginEndpoint, async () => {
      const { address, cookie } = await logins.begin('console');
      return { status: 200, headers, body: { address }, cookies: [{ name: cookieName, value: cookie }] };
    }),
    bindEndpoint(finishOidcConsoleLoginEndpoint, async ({ body, clientAddress, headers: sent }) => {
      const cookie = readCookies(sent.cookie).get(cookieName);
      const tokens = await logins.finish({ query: textOf(body), state: body.state, cookie, clientAddress });
      return { ...presentTokens(tokens), cookies: [{ name: cookieName, value: '' }] };
    }),
    bindEndpoint(beginOidcDeviceLoginEndpoint, async ({ clientAddress }) => ({
      status: 200,
      headers,
      body: await logins.beginOnDevice(clientAddress),
    })),
    bindEndpoint(finishOidcDeviceLoginEndpoint, async ({ body, clientAddress }) => {
      const found = await logins.finishOnDevice(body.deviceCode, clientAddress);
      if (typeof found !== 'string') return presentTokens(found);
      return { status: 202, headers, body: { slowDown: found === 'slow_down' } };
    }),
  ];
  return routes.map(refuseForeignPages);
}

function textOf(query: Readonly<Record<string, string | undefined>>): string {
  const parameters = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) if (value !== undefined) parameters.set(name, value);
  return parameters.toString();
}
