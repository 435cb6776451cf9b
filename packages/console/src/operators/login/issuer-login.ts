import {
  beginOidcConsoleLoginEndpoint,
  finishOidcConsoleLoginEndpoint,
} from '@waybill/contracts/endpoints/access/oidc-console-endpoints';
import { createStore } from '../../page-kit/create-store.ts';
import { basePath } from '../address/console-links.tsx';
import { sendEndpoint } from '../api/send-endpoint.ts';
import { openSession } from '../api/session.ts';
import { texts } from '../texts/texts.ts';
import { placeToReturnTo } from './place-to-return-to.ts';

/** Why the last login with the issuer failed. */
export const issuerFailure = createStore<string | undefined>(undefined);

/** What the callback puts into the address, before the parameters of the issuer. */
const mark = '#oidc?';

/** Where the user was, in this tab. */
const key = 'waybill.return';

/** Leaves for the issuer. @throws RequestFailure; Error for an address that no issuer has */
export async function beginIssuerLogin(): Promise<void> {
  const { address } = await sendEndpoint(beginOidcConsoleLoginEndpoint, { withCookies: true });
  if (!/^https?:$/u.test(new URL(address).protocol)) throw new Error(texts.unreadable);
  sessionStorage.setItem(key, `${location.pathname}${location.search}`);
  location.assign(address);
}

/** The parameters with which the issuer has sent the browser back, if it has. They leave the address and the history. */
export function takeIssuerAnswer(): URLSearchParams | undefined {
  if (!location.hash.startsWith(mark)) return undefined;
  const answer = new URLSearchParams(location.hash.slice(mark.length));
  const application = { origin: location.origin, start: `${basePath}/` };
  history.replaceState(null, '', placeToReturnTo(sessionStorage.getItem(key), application));
  sessionStorage.removeItem(key);
  return answer;
}

/** Ends the login. Failures are shown by the login form. */
export async function endIssuerLogin(answer: URLSearchParams): Promise<void> {
  const body = { state: '', ...Object.fromEntries(answer) };
  try {
    openSession(await sendEndpoint(finishOidcConsoleLoginEndpoint, { body, withCookies: true }));
  } catch (error) {
    issuerFailure.set(error instanceof Error ? error.message : String(error));
  }
}
