import { generateKeyPairSync } from 'node:crypto';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../open-browser.ts';
import { confirmSecret, keepRecoveryCodes } from '../second-factor-steps.ts';
import { untilFocused } from '../until-focused.ts';
import { fillOperatorLogin, openAsAdministrator, operators, type OperatorsRig } from './open-operators.ts';

const api = '/platform-application/api/v1';
const viewport = { width: 320, height: 640 };

/** Operators look after their own accounts. */
export function testAccounts(rig: () => OperatorsRig): void {
  describe('the account of an operator', () => {
    it('gets a second factor with the keyboard alone, at 320 pixels, and replaces and removes it', async () => {
      const { page, takeErrors } = await rig().logIn('tess', '/account', { viewport });
      const { password } = operators.tess;
      await page.getByRole('button', { name: 'Set up a second factor' }).press('Enter');
      await untilFocused(page, 'Current password');
      await page.keyboard.type(password);
      await page.keyboard.press('Enter');
      const secret = await confirmSecret(page, 'tess');
      const codes = await keepRecoveryCodes(page);
      expect(new Set(codes).size).toBe(10);
      await page.getByRole('dialog').getByText('Your session has ended').waitFor();
      await fillOperatorLogin(page, 'tess');
      await page.getByLabel('Code of the second factor').fill(codes[0] ?? '');
      await page.keyboard.press('Enter');
      const left = page.getByText('Recovery codes left').locator('..');
      await expect.poll(() => left.textContent()).toContain('9');

      const prove = async (button: string, code: string): Promise<void> => {
        await page.getByRole('button', { name: button }).click();
        const dialog = page.locator('[role=dialog], [role=alertdialog]');
        await dialog.getByLabel('Current password').fill(password);
        await dialog.getByLabel('Code of the second factor').fill(code);
        await page.keyboard.press('Enter');
      };
      await prove('Replace the recovery codes', codes[0] ?? '');
      await expect.poll(() => page.getByRole('alert').textContent()).toContain('The code is not valid');
      expect(await findAccessViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await prove('Replace the recovery codes', codes[1] ?? '');
      const renewed = await keepRecoveryCodes(page);
      expect(renewed.filter((code) => codes.includes(code))).toEqual([]);
      await expect.poll(() => left.textContent()).toContain('10');
      await prove('Remove the second factor', renewed[0] ?? '');
      await page.getByText('Logins need your password alone').waitFor();
      expect(secret).toMatch(/^[A-Z2-7]{32}$/u);
      expect(takeErrors()).toEqual([]);
    });

    it('shows its sessions and API keys, and ends them', async () => {
      const login = { username: 'otto', password: operators.otto.password };
      const other = await rig().platform.http().post(`${api}/auth/login`, { json: login });
      const { accessToken: bearer } = other.json() as { accessToken: string };
      const created = await rig()
        .platform.http()
        .post(`${api}/api-keys`, { bearer, json: { name: 'nightly' } });
      const { key } = created.json() as { key: string };
      const statusWith = async (token: string) =>
        (await rig().platform.http().get(`${api}/auth/permissions`, { bearer: token })).status;
      expect(await statusWith(key)).toBe(200);
      const { page, takeErrors } = await rig().logIn('otto', '/account', { viewport });
      const confirm = async (name: RegExp | string, label: string): Promise<void> => {
        await page.getByRole('button', { name }).first().click();
        await page.getByRole('alertdialog').getByRole('button', { name: label }).click();
      };
      const others = await openAsAdministrator(rig(), '/configuration/manager-users/otto');
      await others.page
        .getByRole('group', { name: 'API keys' })
        .getByRole('cell', { name: 'nightly', exact: true })
        .waitFor();
      expect(await findAccessViolations(others.page)).toEqual([]);
      await confirm('Revoke the key nightly', 'Revoke');
      await page.getByText('You have no API key').waitFor();
      await expect.poll(() => statusWith(key)).toBe(401);
      await confirm(/^End session/u, 'End');
      await expect.poll(() => statusWith(bearer)).toBe(401);
      await page.getByText('this session', { exact: true }).waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      expect(await page.evaluate<number>('document.documentElement.scrollWidth')).toBeLessThanOrEqual(320);
      expect(takeErrors()).toEqual([]);
    });

    it('creates an API key with a scope, networks and an end, and shows it once', async () => {
      const { page, takeErrors } = await rig().logIn('otto', '/account', { viewport });
      await page.getByRole('button', { name: 'Create an API key' }).click();
      const dialog = page.locator('[role=dialog], [role=alertdialog]');
      await dialog.getByLabel('Name').fill('<b>reports');
      await dialog.getByLabel('Permissions').fill('jobs:read, everything');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await dialog.getByText('A permission is a resource and a verb').waitFor();
      await dialog.getByLabel('Permissions').fill('jobs:read audit:write');
      await dialog.getByRole('button', { name: 'Create' }).click();
      await expect.poll(() => dialog.getByRole('alert').textContent()).toContain('audit:write');
      await dialog.getByLabel('Permissions').fill('jobs:read');
      await dialog.getByLabel('Actors').fill('acme');
      await dialog.getByLabel('Networks').fill('127.0.0.0/8');
      await dialog.getByLabel('Ends').fill(new Date(Date.now() + 86_400_000).toISOString().slice(0, 10));
      expect(await findAccessViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Create' }).click();
      const shown = dialog.getByLabel('API key', { exact: true });
      await shown.waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      const key = await shown.inputValue();
      // A press beside it does not lose it.
      await page.mouse.click(2, 2);
      expect(await shown.inputValue()).toBe(key);
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.waitFor({ state: 'detached' });
      const row = page.getByRole('row').filter({ hasText: '<b>reports' });
      for (const text of ['jobs:read', 'acme', '127.0.0.0/8']) await row.getByText(text, { exact: true }).waitFor();
      expect(await page.content()).not.toContain(key);
      const get = async (path: string) => (await rig().platform.http().get(path, { bearer: key })).status;
      expect(await get('/job-manager/jobs')).toBe(200);
      expect(await get(`${api}/queues`)).toBe(403);
      await row.getByRole('button', { name: 'Revoke the key <b>reports' }).click();
      await dialog.getByRole('button', { name: 'Revoke' }).click();
      await page.getByText('You have no API key').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('is not opened without a second factor where the policy demands one: the login sets it up', async () => {
      const bearer = await rig().platform.adminToken();
      const policies = `${api}/account-policies`;
      const json = { name: 'default', secondFactor: 'required', sshKeys: { allowed: true } };
      expect((await rig().platform.http().post(policies, { bearer, json })).status).toBe(201);
      try {
        const { page, takeErrors } = await rig().browser.newPage({ viewport });
        await page.goto(`${rig().platform.url}/console/jobs`);
        await fillOperatorLogin(page, 'una');
        await page.getByRole('heading', { name: 'Set up a second factor' }).waitFor();
        expect(await findAccessViolations(page)).toEqual([]);
        await page.getByRole('button', { name: 'Continue' }).click();
        await confirmSecret(page, 'una');
        const codes = await keepRecoveryCodes(page);
        await page.getByLabel('Code of the second factor').fill(codes[3] ?? '');
        await page.getByRole('button', { name: 'Log in', exact: true }).click();
        await page.getByText('Logged in as una').waitFor();
        expect(takeErrors()).toEqual([]);
        await addKeyOfPartner(rig());
      } finally {
        expect((await rig().platform.http().delete(`${policies}/default`, { bearer })).status).toBe(204);
      }
      await helpUsers(rig());
    });
  });
}

/** A partner adds a key, where the account policy allows it. */
async function addKeyOfPartner({ platform }: OperatorsRig): Promise<void> {
  const { x = '' } = generateKeyPairSync('ed25519').publicKey.export({ format: 'jwk' });
  const blob = [Buffer.from('ssh-ed25519'), Buffer.from(x, 'base64url')].flatMap((part) => [
    Buffer.from([0, 0, 0, part.length]),
    part,
  ]);
  const key = `ssh-ed25519 ${Buffer.concat(blob).toString('base64')} lost`;
  const partner = platform.http();
  await partner.post('/2.0/login/basic', { form: { username: 'acme', password: 'acme-demo' } });
  expect((await partner.post('/2.0/account/ssh-keys', { json: { key } })).status).toBe(201);
}

/** The help desk deletes the key of the partner, and removes the second factor of una: the password alone is enough then. */
async function helpUsers({ browser, platform }: OperatorsRig): Promise<void> {
  const json = { username: 'una', password: operators.una.password };
  const logInAsUna = async () => (await platform.http().post(`${api}/auth/login`, { json })).status;
  expect(await logInAsUna()).toBe(401);
  const { page, takeErrors } = await browser.newPage({ viewport });
  await page.goto(`${platform.url}/console/configuration/users/acme?actor=acme`);
  await page.getByLabel('User name').fill('admin');
  await page.getByLabel('Password').fill('admin-demo');
  await page.getByRole('button', { name: 'Log in', exact: true }).click();
  await page.getByText('acme is not frozen.').waitFor();
  const confirm = async (name: RegExp, label: string): Promise<void> => {
    await page.getByRole('button', { name }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await dialog.getByRole('button', { name: label }).click();
    await dialog.waitFor({ state: 'detached' });
  };
  await confirm(/^Delete the key/u, 'Delete');
  await page.getByRole('button', { name: /^Delete the key/u }).waitFor({ state: 'detached' });
  await page.getByText('None: logins need the password alone.').waitFor();
  expect(await page.getByRole('button', { name: 'Remove the second factor' }).count()).toBe(0);
  await page.goto(`${platform.url}/console/configuration/manager-users/una`);
  await page.getByText(/^Set up: /u).waitFor();
  await confirm(/^Remove the second factor/u, 'Remove the second factor');
  await page.getByText('None: logins need the password alone.').waitFor();
  expect(await logInAsUna()).toBe(200);
  await setPassword(platform, page);
  expect(takeErrors()).toEqual([]);
}

/** Another user has forgotten the password: the next one has to be changed at the first login. */
async function setPassword({ http, url, adminToken }: OperatorsRig['platform'], page: Page): Promise<void> {
  const user = { name: 'forgetful', password: 'a-password-once-known', roles: ['Users'] };
  expect((await http().post(`${api}/manager-users`, { bearer: await adminToken(), json: user })).status).toBe(201);
  await page.goto(`${url}/console/configuration/manager-users/forgetful`);
  await page.getByRole('button', { name: 'New password' }).click();
  const dialog = page.getByRole('dialog', { name: 'New password of forgetful' });
  const [first, again] = [dialog.getByLabel('New password', { exact: true }), dialog.getByLabel('New password again')];
  expect(await first.getAttribute('type')).toBe('password');
  await first.fill('another-password-1');
  await again.fill('another-password-2');
  await dialog.getByRole('button', { name: 'Set the password' }).click();
  await dialog.getByText('The two new passwords differ.').waitFor();
  expect(await findAccessViolations(page)).toEqual([]);
  await again.fill('another-password-1');
  await dialog.getByRole('button', { name: 'Set the password' }).click();
  await dialog.waitFor({ state: 'detached' });
  const logIn = async (password: string) =>
    (await http().post(`${api}/auth/login`, { json: { username: user.name, password } })).json();
  expect(await logIn(user.password)).toMatchObject({ code: 'invalid_credentials' });
  expect(await logIn('another-password-1')).toMatchObject({ code: 'password_change_required' });
}
