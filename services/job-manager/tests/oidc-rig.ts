import { newKeyRingEntry } from '@waybill/secrets/key-ring';
import { createHttpClient, type HttpResponse } from '@waybill/test-kit/create-http-client';
import { oidcClient, openBrowser, type OutsideIssuer } from '@waybill/test-kit/oidc/outside-issuer';
import { expect } from 'vitest';
import type { TestJobManager } from './start-test-job-manager.ts';

const oidc = '/platform-application/api/v1/auth/oidc';

/** Where the issuer sends browsers back. Nobody answers there: tests call the job manager of their choice. */
export const callback = `http://127.0.0.1:1${oidc}/callback`;

/** The settings of a job manager with an issuer. */
export function oidcSettings({ url }: OutsideIssuer) {
  return {
    ACCESS_SECRET_KEYS: newKeyRingEntry(),
    KEY_RELOAD_SECONDS: '0.05',
    OIDC_ISSUER: url,
    OIDC_CLIENT_ID: oidcClient.id,
    OIDC_CLIENT_SECRET: oidcClient.secret,
    OIDC_CALLBACK_URL: callback,
    OIDC_ROLES: JSON.stringify({ operators: ['Operators'], administrators: ['Administrators', 'Operators'] }),
  };
}

/** A browser that the issuer has sent back: the parameters of the callback, and its cookie. */
export interface BrowserThatCameBack {
  readonly query: URLSearchParams;
  readonly cookie: string;
}

/** Begins a login in a browser, and follows it to the callback, which is not called yet. */
export async function comeBack({ url }: TestJobManager): Promise<BrowserThatCameBack> {
  const browser = openBrowser();
  const begun = await browser.visit(`${url}${oidc}/login`);
  expect([begun.status, begun.headers.get('cache-control')]).toEqual([302, 'no-store']);
  const address = await browser.follow(begun, url, callback);
  return { query: new URL(address).searchParams, cookie: `waybill-oidc=${browser.jar.get('waybill-oidc') ?? ''}` };
}

/** Calls the callback from an address. */
export async function callBack(
  { url }: TestJobManager,
  { query, cookie }: BrowserThatCameBack,
  address: string,
): Promise<HttpResponse> {
  const headers = { cookie, 'x-forwarded-for': address };
  return await createHttpClient(url).get(`${oidc}/callback`, { query: Object.fromEntries(query), headers });
}
