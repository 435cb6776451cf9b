import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { openBrowser as openBareBrowser } from '@waybill/test-kit/oidc/outside-issuer';
import type { Page } from 'playwright-core';
import { beforeEach, describe, expect, it } from 'vitest';
import { findAccessViolations } from '../open-browser.ts';
import { openAsAdministrator, type OperatorsRig } from './open-operators.ts';

const api = '/platform-application/api/v1';
const jane = { subject: 'f3a1', claims: { preferred_username: 'jane@example.org', groups: ['operators'] } };
const button = 'Log in with Example Login';

/** Users of an issuer of OpenID Connect log in to the console. */
export function testIssuerLogins(rig: () => OperatorsRig): void {
  describe('users of an issuer of OpenID Connect', () => {
    beforeEach(() => {
      rig().issuer.account = jane;
      rig().issuer.refuses = false;
    });
    const openLogin = async (address = '/jobs?status=ERROR') => {
      const watched = await rig().browser.newPage();
      await watched.page.goto(`${rig().platform.url}/console${address}`);
      await watched.page.getByRole('button', { name: button }).waitFor();
      return watched;
    };
    const leave = (page: Page) => page.getByRole('button', { name: button }).click();

    it('log in with a button and come back to where they were, and no address has a token', async () => {
      const { page, takeErrors } = await openLogin();
      expect(await findAccessViolations(page)).toEqual([]);
      const addresses: string[] = [];
      page.on('request', (request) => addresses.push(`${request.url()} ${request.headers()['referer'] ?? ''}`));
      const sent = page.waitForRequest((request) => request.url().endsWith('/auth/oidc/console/session'));
      await leave(page);
      await page.getByText('Logged in as jane@example.org').waitFor();
      expect(page.url()).toBe(`${rig().platform.url}/console/jobs?status=ERROR`);
      const tokens = await page.evaluate<string>(`sessionStorage.getItem('waybill.tokens')`);
      const { accessToken, refreshToken } = JSON.parse(tokens) as { accessToken: string; refreshToken: string };
      expect(addresses.join(' ')).not.toContain(accessToken);
      expect(addresses.join(' ')).not.toContain(refreshToken);
      // The parameters work once, also in the browser that has begun the login, and also with its cookie put back.
      const body = (await sent).postDataJSON() as Record<string, string>;
      const cookie = (await (await sent).allHeaders())['cookie'] ?? '';
      expect(cookie).toContain('waybill-oidc=');
      const replayed = await finish(rig(), body, cookie);
      expect([replayed.status, replayed.text]).toEqual([401, expect.stringContaining('oidc_login_refused')]);
      expect(await page.evaluate<string>('document.cookie')).toBe('');
      expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('waybill-oidc');
      await page.goBack();
      expect(page.url()).not.toContain('code=');
      expect(takeErrors()).toEqual([]);
    });

    it('see in the console why the issuer or the platform has refused them', async () => {
      const { page, takeErrors } = await openLogin();
      const alert = () => expect.poll(() => page.getByRole('alert').textContent());
      rig().issuer.refuses = true;
      await leave(page);
      await alert().toContain('The issuer has refused: access_denied');
      expect(await findAccessViolations(page)).toEqual([]);
      expect(page.url()).toBe(`${rig().platform.url}/console/jobs?status=ERROR`);
      rig().issuer.refuses = false;
      rig().issuer.account = { subject: 'joe-1', claims: { preferred_username: 'joe', groups: ['staff'] } };
      await leave(page);
      await alert().toContain('none of the groups that have a role here');
      expect(takeErrors()).toEqual([]);
    });

    it('are led back to a page of the console only, whatever the tab remembers', async () => {
      const { page, takeErrors } = await openLogin();
      const answer = new URLSearchParams({ state: 'console.x'.padEnd(5_000, 'x') }).toString();
      await page.evaluate(`sessionStorage.setItem('waybill.return', 'https://evil.example.org/console/')`);
      await page.goto(`${rig().platform.url}/console/#oidc?${answer}`);
      await page.getByRole('alert').waitFor();
      expect(page.url()).toBe(`${rig().platform.url}/console/`);
      expect(takeErrors()).toEqual([]);
    });

    it('cannot be logged in by a link of somebody else: another browser, a foreign state, a forged cookie', async () => {
      const [mine, others] = [await comeBack(rig()), await comeBack(rig())];
      const { page, takeErrors } = await openLogin('/');
      await page.goto(`${rig().platform.url}/console/#oidc?${new URLSearchParams(mine.answer).toString()}`);
      await page.reload();
      await expect.poll(() => page.getByRole('alert').textContent()).toContain('This browser has not begun this login');
      const attempts = [
        await finish(rig(), mine.answer, ''),
        await finish(rig(), mine.answer, others.cookie),
        await finish(rig(), { ...mine.answer, state: others.answer['state'] ?? '' }, others.cookie),
        await finish(rig(), { ...mine.answer, state: 'console.guessed' }, mine.cookie),
        await finish(rig(), mine.answer, mine.cookie.replace(/.{4}$/u, 'AAAA')),
      ];
      for (const { status, text } of attempts) {
        expect([status, text]).toEqual([401, expect.stringContaining('oidc_login_refused')]);
      }
      expect((await finish(rig(), { state: 'x'.repeat(4_097) }, mine.cookie)).status).toBe(400);
      expect((await finish(rig(), mine.answer, mine.cookie)).status).toBe(200);
      expect(takeErrors()).toEqual([]);
    });

    it('are listed with their subjects where manager users are, and lose a name that is released', async () => {
      const { page, takeErrors } = await openAsAdministrator(rig(), '/configuration/manager-users');
      const row = page
        .getByRole('group', { name: 'Users of an issuer of OpenID Connect' })
        .getByRole('row')
        .filter({ hasText: 'jane@example.org' });
      await row.getByText(rig().issuer.url).waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await row.getByRole('button', { name: 'Release the name jane@example.org' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Release' }).click();
      await row.waitFor({ state: 'detached' });
      const bearer = await rig().platform.adminToken();
      const names = await rig().platform.http().get(`${api}/auth/oidc/names?name=jane@example.org`, { bearer });
      expect(names.json()).toMatchObject({ items: [] });
      expect(takeErrors()).toEqual([]);
    });

    it('and programs still get the tokens of a login that they have begun', async () => {
      const browser = openBareBrowser();
      const { url } = rig().platform;
      const begun = await browser.visit(`${url}${api}/auth/oidc/login`);
      const back = await browser.visit(await browser.follow(begun, url, `${url}${api}/auth/oidc/callback`));
      expect(await back.json()).toMatchObject({ tokenType: 'Bearer' });
      const methods = await rig().platform.http().get(`${api}/auth/methods`);
      expect(methods.json()).toEqual({ password: true, issuer: { name: 'Example Login' } });
    });
  });
}

/** Begins a login as the console does, up to the address with which the callback leads back to the console. */
async function comeBack({ platform: { url } }: OperatorsRig) {
  const browser = openBareBrowser();
  const begun = await browser.visit(`${url}${api}/auth/oidc/console`, new URLSearchParams());
  const { address } = (await begun.json()) as { address: string };
  const returned = await browser.follow(await browser.visit(address), address, `${url}${api}/auth/oidc/callback`);
  const response = await browser.visit(returned);
  const location = response.headers.get('location') ?? '';
  expect(location).toMatch(/^\/console\/#oidc\?/u);
  const answer = Object.fromEntries(new URLSearchParams(location.slice('/console/#oidc?'.length)));
  return { answer, cookie: `waybill-oidc=${browser.jar.get('waybill-oidc') ?? ''}` };
}

let addresses = 0;

/** Each request comes from an address of its own, and not through the edge: failed logins count for the address. */
async function finish({ platform }: OperatorsRig, json: object, cookie: string) {
  const headers = { cookie, 'x-forwarded-for': `198.51.100.${(addresses += 1)}` };
  const client = createHttpClient(`http://127.0.0.1:${platform.servicePorts[2]}`);
  return await client.post(`${api}/auth/oidc/console/session`, { json, headers });
}
