import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../../open-browser.ts';
import { fillOperatorLogin, type OperatorsRig } from '../open-operators.ts';

const api = '/platform-application/api/v1';

/** An operator logs out, which the server may not do. */
export function testLogouts(rig: () => OperatorsRig): void {
  describe('an operator who logs out', () => {
    const tokenOf = (page: Page) =>
      page.evaluate<string>(`JSON.parse(sessionStorage.getItem('waybill.tokens')).refreshToken`);
    const post = async (verb: string, refreshToken: string): Promise<number> =>
      (await rig().platform.http().post(`${api}/auth/${verb}`, { json: { refreshToken } })).status;
    const stillIn = (page: Page) => page.getByRole('alertdialog', { name: 'You are still logged in' });

    it('is told when the server has not ended the session, whatever has failed, and tries again', async () => {
      const { page, takeErrors } = await rig().logIn('olga', '/jobs');
      const refreshToken = await tokenOf(page);
      await page.route('**/auth/logout', (route) => route.abort());
      await page.getByRole('button', { name: 'Log out', exact: true }).click();
      const dialog = stillIn(page);
      await dialog.getByText('The server cannot be reached').waitFor();
      await dialog.getByText('The next user of this browser would have your account').waitFor();
      expect(await findAccessViolations(page)).toEqual([]);

      const again = async (answer: { status: number; body?: string }, reason: string): Promise<void> => {
        await page.unroute('**/auth/logout');
        await page.route('**/auth/logout', (route) => route.fulfill(answer));
        await dialog.getByRole('button', { name: 'Log out', exact: true }).press('Enter');
        await dialog.getByText(reason).waitFor();
      };
      await again({ status: 503, body: '<h1>503</h1>' }, 'status 503');
      // Not of the platform: a proxy that refuses the address, or answers in its place.
      await again({ status: 401, body: '<h1>Proxy login</h1>' }, 'status 401');
      await again({ status: 403, body: '<h1>Blocked</h1>' }, 'status 403');
      await again({ status: 200, body: '<h1>Welcome to the hotel</h1>' }, 'status 200');

      // Who stays goes on working.
      await page.keyboard.press('Escape');
      await dialog.waitFor({ state: 'detached' });
      await page.getByText('Logged in as olga').waitFor();
      await page.getByRole('button', { name: 'Log out', exact: true }).click();
      await dialog.waitFor();
      await page.unroute('**/auth/logout');
      await dialog.getByRole('button', { name: 'Log out', exact: true }).press('Enter');
      await page.getByRole('heading', { name: 'Log in to the console' }).waitFor();
      expect(await dialog.count()).toBe(0);
      expect(await post('refresh', refreshToken)).toBe(401);
      expect(takeErrors()).toEqual([]);
    });

    it('is told after 15 s that a server does not answer', async () => {
      const { page, takeErrors } = await rig().logIn('olga', '/jobs');
      await page.route('**/auth/logout', () => undefined);
      const before = performance.now();
      await page.getByRole('button', { name: 'Log out', exact: true }).click();
      await stillIn(page).getByRole('alert').waitFor();
      const afterMs = performance.now() - before;
      expect(await stillIn(page).getByRole('alert').textContent()).toContain('15 s');
      expect(afterMs).toBeGreaterThan(14_000);
      expect(afterMs).toBeLessThan(20_000);
      expect(takeErrors()).toEqual([]);
    });

    it('has logged out if the session had ended before', async () => {
      const { page, takeErrors } = await rig().logIn('olga', '/jobs');
      const refreshToken = await tokenOf(page);
      // The page does not learn it from anything else.
      await page.route('**/platform-application/**', (route) =>
        route.request().url().endsWith('/auth/logout') ? route.fallback() : route.abort(),
      );
      expect(await post('logout', refreshToken)).toBe(204);
      await page.getByRole('button', { name: 'Log out', exact: true }).click();
      await page.getByRole('heading', { name: 'Log in to the console' }).waitFor();
      expect(await stillIn(page).count()).toBe(0);
      expect(takeErrors()).toEqual([]);
    });

    it('is not told so any more when another tab has logged out', async () => {
      const { page, takeErrors } = await rig().logIn('olga', '/jobs');
      await page.route('**/auth/logout', (route) => route.abort());
      await page.getByRole('button', { name: 'Log out', exact: true }).click();
      await stillIn(page).waitFor();
      const other = await page.context().newPage();
      await other.goto(`${rig().platform.url}/console/`);
      await other.getByText('Logged in as olga').waitFor();
      await other.getByRole('button', { name: 'Log out', exact: true }).click();
      await other.getByRole('heading', { name: 'Log in to the console' }).waitFor();
      await page.getByRole('dialog').getByText('Your session has ended').waitFor();
      await fillOperatorLogin(page, 'olga');
      await page.getByText('Logged in as olga').waitFor();
      expect(await stillIn(page).count()).toBe(0);
      expect(takeErrors()).toEqual([]);
    });
  });
}
