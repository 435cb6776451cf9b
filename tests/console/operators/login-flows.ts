import { codeOfApp } from '@waybill/test-kit/values/authenticator-app';
import type { Response } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../open-browser.ts';
import { nameInHeader } from '../page-checks.ts';
import { sendLogin } from '../send-login.ts';
import { fillOperatorLogin, operators, type OperatorsRig } from './open-operators.ts';

/** The most that a page of the console may load before it can be used. */
const firstLoadBytes = 400 * 1_024;

const api = '/platform-application/api/v1';

/** Operators log in to the console. */
export function testLogins(rig: () => OperatorsRig): void {
  describe('operators log in to the console', () => {
    it('after a first load of at most 400 KiB, and are told what is wrong with a login', async () => {
      const { page, takeErrors } = await rig().browser.newPage();
      const responses: Response[] = [];
      page.on('response', (response) => responses.push(response));
      await page.goto(`${rig().platform.url}/console`);
      await fillOperatorLogin(page, 'olga', 'wrong');
      await expect.poll(() => page.getByRole('alert').textContent()).toContain('Invalid username or password');
      expect(await findAccessViolations(page)).toEqual([]);
      await fillOperatorLogin(page, 'olga');
      await page.getByRole('heading', { name: 'Queues' }).waitFor();
      const own = responses.filter((response) => new URL(response.url()).pathname.startsWith('/console'));
      const sizes = await Promise.all(own.map((response) => response.request().sizes()));
      const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
      expect(bytes).toBeGreaterThan(50_000);
      expect(bytes).toBeLessThanOrEqual(firstLoadBytes);
      expect(takeErrors()).toEqual([]);
    });

    it('and find all pages in one row of a window of 1200 pixels, whatever their name', async () => {
      const { page, takeErrors } = await rig().browser.newPage({ viewport: { width: 1_200, height: 750 } });
      await page.goto(`${rig().platform.url}/console/`);
      await sendLogin(page, 'admin', 'admin-demo');
      const row = page.getByRole('banner');
      await row.getByRole('link', { name: 'Access' }).waitFor();
      const height = async () => (await row.boundingBox())?.height ?? 0;
      expect(await height()).toBeLessThan(70);
      for (const width of [960, 1_100, 1_200]) {
        await page.setViewportSize({ width, height: 750 });
        expect([width, await nameInHeader(page)]).toEqual([width, 'admin']);
      }
      await page.setViewportSize({ width: 1_600, height: 750 });
      expect(await nameInHeader(page)).toBe('Logged in as admin');
      await page.setViewportSize({ width: 1_200, height: 750 });
      await page.evaluate(`document.querySelector('.top .quiet').textContent = 'Logged in as ${'w'.repeat(200)}'`);
      expect(await height()).toBeLessThan(70);
      expect(takeErrors()).toEqual([]);
    });

    it('and find all pages behind a button of a narrow window, which the keyboard opens and closes', async () => {
      const { page, takeErrors } = await rig().logIn('olga', '/jobs', { viewport: { width: 375, height: 750 } });
      const header = page.getByRole('banner');
      expect((await header.boundingBox())?.height).toBeLessThan(70);
      const menu = header.getByRole('button', { name: 'Menu' });
      const files = header.getByRole('link', { name: 'Files', exact: true });
      expect(await files.isVisible()).toBe(false);
      await menu.focus();
      await page.keyboard.press('Enter');
      await files.waitFor();
      expect(await menu.getAttribute('aria-expanded')).toBe('true');
      await page.getByRole('heading', { level: 1 }).waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await page.keyboard.press('Tab');
      await page.keyboard.press('Escape');
      await files.waitFor({ state: 'hidden' });
      expect(await page.evaluate<string>('document.activeElement.textContent')).toBe('Menu');
      await page.keyboard.press('Enter');
      await files.focus();
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'One file’s story' }).waitFor();
      await files.waitFor({ state: 'hidden' });
      expect(await menu.getAttribute('aria-expanded')).toBe('false');
      expect(takeErrors()).toEqual([]);
    });

    it('once for all tabs, also after a reload, and log out of all of them', async () => {
      const { page, takeErrors } = await rig().logIn('olga', '/jobs');
      await page.reload();
      await page.getByText('Logged in as olga').waitFor();
      const other = await page.context().newPage();
      await other.goto(`${rig().platform.url}/console/jobs?status=ERROR`);
      await other.getByText('Logged in as olga').waitFor();
      await page.getByRole('button', { name: 'Log out' }).click();
      await other.getByRole('dialog').getByText('Your session has ended').waitFor();
      await page.getByRole('heading', { name: 'Log in to the console' }).waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('again where they are when the session was ended, and keep what they have selected', async () => {
      const [id] = await rig().submit(1);
      const { page, takeErrors } = await rig().logIn('otto', '/jobs?status=COMPLETED');
      await page.getByLabel(`Select job ${id}`, { exact: true }).check();
      const bearer = await rig().platform.adminToken();
      const { items } = (await rig().platform.http().get(`${api}/auth/sessions`, { bearer })).json() as {
        items: { id: number; user: string }[];
      };
      for (const session of items.filter(({ user }) => user === 'otto'))
        await rig().platform.http().delete(`${api}/auth/sessions/${session.id}`, { bearer });
      // What follows the jobs does not know that the session has ended: the next change shows it.
      await rig().submit(1);
      await page.getByRole('dialog').getByText('Your session has ended').waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await fillOperatorLogin(page, 'otto');
      await page.getByText('1 job selected').waitFor();
      expect(new URL(page.url()).search).toBe('?status=COMPLETED');
      expect(takeErrors()).toEqual([]);
    });

    it('and stay logged in when an access token is not accepted any more', async () => {
      const { page, takeErrors } = await rig().logIn('olga', '/jobs');
      await page.evaluate(`(() => {
        const tokens = JSON.parse(sessionStorage.getItem('waybill.tokens'));
        sessionStorage.setItem('waybill.tokens', JSON.stringify({ ...tokens, accessToken: 'expired' }));
      })()`);
      await page.reload();
      await page.getByText('Logged in as olga').waitFor();
      await page.getByRole('table', { name: 'Jobs, newest first' }).waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('with a code where a second factor is set up, also after they have changed their password', async () => {
      const account = { username: 'sara', password: operators.sara.password };
      const post = (path: string, json: object) =>
        rig().platform.http().post(`${api}/auth/second-factor${path}`, { json });
      const { secret } = (await post('', account)).json() as { secret: string };
      const confirmed = await post('/confirm', { ...account, code: codeOfApp(secret) });
      const { recoveryCodes } = confirmed.json() as { recoveryCodes: string[] };
      const { page, takeErrors } = await rig().browser.newPage();
      await page.goto(`${rig().platform.url}/console/jobs`);
      await fillOperatorLogin(page, 'sara');
      const code = page.getByLabel('Code of the second factor');
      const send = async (text: string, button: string): Promise<void> => {
        await code.fill(text);
        await page
          .getByRole('dialog')
          .or(page.locator('form'))
          .getByRole('button', { name: button, exact: true })
          .last()
          .click();
      };
      await code.waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await send('000000', 'Log in');
      await expect.poll(() => page.getByRole('alert').textContent()).toContain('The code is not valid');
      await send(recoveryCodes[0] ?? '', 'Log in');
      await page.getByText('Logged in as sara').waitFor();
      await page.getByRole('link', { name: 'Account' }).click();
      await page.getByRole('button', { name: 'Change password' }).click();
      await page.getByLabel('Current password', { exact: true }).fill(account.password);
      await page.getByLabel('New password', { exact: true }).fill('correct horse battery');
      await page.getByLabel('New password again').fill('correct horse battery');
      await send(recoveryCodes[1] ?? '', 'Change password');
      await page.getByRole('dialog').getByText('The password is set. Log in with it.').waitFor();
      await fillOperatorLogin(page, 'sara', 'correct horse battery');
      await send(recoveryCodes[2] ?? '', 'Log in');
      await page.getByText('Logged in as sara').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('with a new password where one is due', async () => {
      const { page, takeErrors } = await rig().browser.newPage();
      await page.goto(`${rig().platform.url}/console/jobs`);
      await fillOperatorLogin(page, 'nina');
      await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      const choose = async (newPassword: string, repeated: string): Promise<void> => {
        await page.getByLabel('New password', { exact: true }).fill(newPassword);
        await page.getByLabel('New password again').fill(repeated);
        await page.getByRole('button', { name: 'Change password' }).click();
      };
      await choose('correct horse battery', 'correct horse');
      await expect.poll(() => page.getByRole('alert').textContent()).toContain('differ');
      await choose('nina', 'nina');
      await expect.poll(() => page.getByRole('alert').textContent()).toContain('characters');
      await choose('correct horse battery', 'correct horse battery');
      await page.getByText('Logged in as nina').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('and are offered only what their roles allow', async () => {
      await rig().submit(1);
      const { page, takeErrors } = await rig().logIn('una');
      await page.getByRole('heading', { name: 'Queues' }).waitFor();
      expect(await page.getByRole('button', { name: 'Pause' }).count()).toBe(0);
      expect(await page.getByRole('heading', { name: 'Audit log' }).count()).toBe(0);
      await page.getByRole('link', { name: 'Jobs', exact: true }).click();
      await page.getByRole('row').nth(1).getByRole('link').click();
      await page.getByRole('heading', { name: /^Job \d+$/u }).waitFor();
      expect(await page.getByRole('button', { name: 'Abort', exact: true }).count()).toBe(0);
      expect(operators.una.role).toBe('Users');
      expect(takeErrors()).toEqual([]);
    });

    it('and see the audit log, and nothing of the configuration, where their role is for that alone', async () => {
      expect(operators.ada.role).toBe('Auditors');
      const { page, takeErrors } = await rig().logIn('ada');
      await page.getByRole('heading', { name: 'Audit log' }).waitFor();
      expect(await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').allTextContents()).toEqual([
        'Now',
        'Files',
        'Audit',
      ]);
      await page.getByRole('link', { name: 'Audit', exact: true }).click();
      await page.getByRole('table', { name: 'Audit records, newest first' }).getByRole('row').nth(1).waitFor();
      expect(takeErrors()).toEqual([]);
    });
  });
}
