import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../../open-browser.ts';
import { checkNarrowPage } from '../../page-checks.ts';
import { sendLogin } from '../../send-login.ts';
import { untilFocused } from '../../until-focused.ts';
import type { OperatorsRig } from '../open-operators.ts';

const api = '/platform-application/api/v1';

/** Manager users set their first passwords where they log in. */
export function testFirstPasswordLogins(rig: () => OperatorsRig): void {
  describe('a manager user with a code for a first password', () => {
    const post = async (path: string, json?: object): Promise<Record<string, unknown>> => {
      const bearer = await rig().platform.adminToken();
      const response = await rig()
        .platform.http()
        .post(`${api}/${path}`, { bearer, ...(json && { json }) });
      expect(response.status).toBe(201);
      return response.json() as Record<string, unknown>;
    };
    const codeFor = async (name: string): Promise<string> =>
      String((await post(`manager-users/${encodeURIComponent(name)}/first-password-code`))['code']);
    const create = async (name: string): Promise<string> => {
      await post('manager-users', { name, roles: ['Users'] });
      return await codeFor(name);
    };
    const open = async (fragment = '') => {
      const watched = await rig().browser.newPage();
      const addresses: string[] = [];
      watched.page.on('request', (request) => addresses.push(request.url()));
      await watched.page.goto(`${rig().platform.url}/console/${fragment}`);
      return { ...watched, addresses };
    };
    const fill = async (page: Page, fields: { code: string; password: string; repeated?: string }): Promise<void> => {
      await page.getByLabel('Code for the first password', { exact: true }).fill(fields.code);
      await page.getByLabel('New password', { exact: true }).fill(fields.password);
      await page.getByLabel('New password again', { exact: true }).fill(fields.repeated ?? fields.password);
      await page.keyboard.press('Enter');
    };
    const failure = (page: Page) => expect.poll(() => page.getByRole('alert').textContent());

    it('sets it with the keyboard alone, after mistakes that are named, and is logged in', async () => {
      const code = await create('fred');
      const { page, takeErrors, addresses } = await open();
      await untilFocused(page, 'User name');
      const opener = page.getByRole('button', { name: 'I have a code for my first password', exact: true });
      await opener.press('Enter');
      await page.getByRole('heading', { name: 'Set your first password' }).waitFor();
      await untilFocused(page, 'User name');
      expect(await findAccessViolations(page)).toEqual([]);
      const filled = async (label: string) => {
        const field = page.getByLabel(label, { exact: true });
        return `${await field.getAttribute('type')} ${await field.getAttribute('autocomplete')}`;
      };
      expect(await filled('User name')).toBe('text username');
      expect(await filled('Code for the first password')).toBe('text one-time-code');
      expect(await filled('New password')).toBe('password new-password');
      expect(await filled('New password again')).toBe('password new-password');

      await page.keyboard.type('fred');
      await fill(page, { code, password: 'correct horse battery', repeated: 'correct horse' });
      await failure(page).toContain('differ');
      await fill(page, { code, password: 'short' });
      await failure(page).toContain('characters');
      await fill(page, { code: 'A1B2C-D3E4F-G5H6J-K7M8N-P9Q0R', password: 'correct horse battery' });
      await failure(page).toContain('An administrator can issue another one.');
      expect(await findAccessViolations(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 640 });
      await checkNarrowPage(page, 'the first password');
      await page.setViewportSize({ width: 1_100, height: 750 });

      await page.getByRole('button', { name: 'Back', exact: true }).press('Enter');
      await untilFocused(page, 'User name');
      await opener.press('Enter');
      await page.getByLabel('User name', { exact: true }).fill('fred');
      // As it was read out on the telephone.
      await fill(page, { code: ` ${code.toLowerCase().replaceAll('-', '')} `, password: 'correct horse battery' });
      await page.getByText('Logged in as fred').waitFor();
      expect(addresses.join(' ').toUpperCase()).not.toContain(code.slice(0, 11));
      expect(takeErrors()).toEqual([]);
    });

    it('finds the name filled in at the address that the administrator has, and the code works once', async () => {
      const code = await create("o'hara");
      const { page, takeErrors, addresses } = await open(`#first-password?user=${encodeURIComponent("o'hara")}`);
      await untilFocused(page, 'Code for the first password');
      expect(await page.getByLabel('User name', { exact: true }).inputValue()).toBe("o'hara");
      expect(page.url()).toBe(`${rig().platform.url}/console/`);
      expect(addresses.join(' ')).not.toContain('hara');
      await fill(page, { code, password: 'correct horse battery' });
      await page.getByText("Logged in as o'hara").waitFor();

      const again = await open(`#first-password?user=${encodeURIComponent("o'hara")}`);
      await fill(again.page, { code, password: 'another horse battery' });
      await failure(again.page).toContain('was used or has expired');
      expect([takeErrors(), again.takeErrors()]).toEqual([[], []]);
    });

    it.each([
      ['no server is reached', (route: Route) => route.abort(), 'The server cannot be reached'],
      ['there are too many logins', (route: Route) => refuse(route, 429, 'too_many_requests'), 'Too many logins'],
      ['the server fails', (route: Route) => route.fulfill({ status: 500, body: '<h1>500</h1>' }), 'the status 500'],
    ])(
      'is back at the login, with the user name and the reason, if %s after the password was set',
      async (_, fail, reason) => {
        const name = `fay-${reason.length}`;
        const code = await create(name);
        const { page, takeErrors } = await open();
        await page.getByRole('button', { name: 'I have a code for my first password', exact: true }).click();
        await page.getByLabel('User name', { exact: true }).fill(name);
        await page.route('**/auth/login', fail);
        await fill(page, { code, password: 'correct horse battery' });
        await page.getByRole('heading', { name: 'Log in to the console' }).waitFor();
        await page.getByRole('status').getByText('The password is set. Log in with it.').waitFor();
        await failure(page).toContain(reason);
        expect(await page.getByLabel('User name', { exact: true }).inputValue()).toBe(name);
        expect(await findAccessViolations(page)).toEqual([]);
        await page.unroute('**/auth/login');
        await page.getByRole('button', { name: 'Log in', exact: true }).press('Enter');
        await page.getByText(`Logged in as ${name}`).waitFor();
        expect(takeErrors()).toEqual([]);
      },
    );

    it('learns why the login fails after a new password that was due, too', async () => {
      const [name, password] = ['flora', 'a-password-of-flora'];
      await post('manager-users', { name, password, passwordChangeRequired: true, roles: ['Users'] });
      const { page, takeErrors } = await open();
      await sendLogin(page, name, password);
      await page.getByRole('heading', { name: 'Choose a new password' }).waitFor();
      await page.route('**/auth/login', (route) => route.abort());
      await page.getByLabel('New password', { exact: true }).fill('correct horse battery');
      await page.getByLabel('New password again', { exact: true }).fill('correct horse battery');
      await page.keyboard.press('Enter');
      await page.getByRole('status').getByText('The password is set. Log in with it.').waitFor();
      await failure(page).toContain('cannot be reached');
      expect(await page.getByLabel('User name', { exact: true }).inputValue()).toBe(name);
      await page.unroute('**/auth/login');
      await page.getByRole('button', { name: 'Log in', exact: true }).press('Enter');
      await page.getByText(`Logged in as ${name}`).waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('learns that the own password was changed where the login after it fails', async () => {
      const [name, password] = ['fanny', 'a-password-of-fanny'];
      await post('manager-users', { name, password, roles: ['Users'] });
      const { page, takeErrors } = await open('account');
      await sendLogin(page, name, password);
      await page.getByRole('button', { name: 'Change password', exact: true }).click();
      await page.getByLabel('Current password', { exact: true }).fill(password);
      await page.route('**/auth/login', (route) => route.abort());
      await page.getByLabel('New password', { exact: true }).fill('correct horse battery');
      await page.getByLabel('New password again', { exact: true }).fill('correct horse battery');
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByText('The password is set. Log in with it.').waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await sendLogin(page, name, 'correct horse battery');
      await failure(page).toContain('cannot be reached');
      await page.unroute('**/auth/login');
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.getByText(`Logged in as ${name}`).waitFor();
      await endSession(page);
      await dialog.getByText('Your session has ended').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('is told to try the login where the answer was lost, and finds the form from an open login, too', async () => {
      const code = await create('frida');
      const { page, takeErrors } = await open();
      await untilFocused(page, 'User name');
      await page.evaluate(`location.hash = 'first-password?user=frida'`);
      await untilFocused(page, 'Code for the first password');
      expect(await page.getByLabel('User name', { exact: true }).inputValue()).toBe('frida');
      const loseAnswer = async (route: Route): Promise<void> => {
        await route.fetch();
        await route.abort();
      };
      await page.route('**/auth/first-password', loseAnswer, { times: 1 });
      await fill(page, { code, password: 'correct horse battery' });
      await failure(page).toContain('cannot be reached');
      await fill(page, { code, password: 'correct horse battery' });
      await failure(page).toContain('try to log in with it');
      await page.getByRole('button', { name: 'Back', exact: true }).press('Enter');
      await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
      await page.keyboard.press('Enter');
      await page.getByText('Logged in as frida').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('who guesses has to wait, and is told so in the words of the platform', async () => {
      await create('finn');
      const { page, takeErrors } = await open('#first-password?user=finn');
      await page.getByRole('heading', { name: 'Set your first password' }).waitFor();
      for (let guess = 0; guess < 8; guess += 1) {
        const answered = page.waitForResponse('**/auth/first-password');
        await fill(page, { code: `GUESS-${guess}`, password: 'correct horse battery' });
        if ((await answered).status() === 429) break;
      }
      await failure(page).toMatch(/too many/iu);
      expect(takeErrors()).toEqual([]);
    });

    it('is not offered the form over a page whose session has ended', async () => {
      const { page, takeErrors } = await rig().logIn('una', '/jobs');
      await endSession(page);
      await page.getByRole('dialog').getByText('Your session has ended').waitFor();
      expect(await page.getByText('I have a code').count()).toBe(0);
      const hostile = await open('#first-password?user=%ff<img src=x onerror=alert(1)>&code=A');
      await hostile.page.getByRole('heading', { name: 'Set your first password' }).waitFor();
      expect(await hostile.page.locator('img').count()).toBe(0);
      expect([takeErrors(), hostile.takeErrors()]).toEqual([[], []]);
    });
  });
}

/** As another tab does whose user logs out. */
function endSession(page: Page): Promise<void> {
  return page.evaluate<void>(`new BroadcastChannel('waybill-tokens').postMessage({ kind: 'tokens' })`);
}

/** Answers as the platform does. */
function refuse(route: Route, status: number, code: string): Promise<void> {
  const problem = { type: 'about:blank', title: code, status, detail: 'Too many logins', code, requestId: 'r-1' };
  return route.fulfill({ status, contentType: 'application/problem+json', body: JSON.stringify(problem) });
}
