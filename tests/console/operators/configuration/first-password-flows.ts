import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../../open-browser.ts';
import { checkNarrowPage } from '../../page-checks.ts';
import { openAsAdministrator, type OperatorsRig } from '../open-operators.ts';

/** The codes with which manager users set their first passwords, in the console. */
export function testFirstPasswords(rig: () => OperatorsRig): void {
  describe('the code for a first password, in the console', () => {
    const setPassword = async (code: string, newPassword: string): Promise<number> => {
      const json = { username: "o'nell", code, newPassword };
      return (await rig().platform.http().post('/platform-application/api/v1/auth/first-password', { json })).status;
    };

    it('is shown once for a new manager user, is issued again, and is refused for a user with a password', async () => {
      const { page, takeErrors } = await openAsAdministrator(rig(), '/configuration/manager-users?new=yes');
      await page.getByLabel('Settings', { exact: true }).fill(`name: o'nell\nroles: [Users]\n`);
      await page.getByRole('button', { name: 'Show the difference' }).click();
      await page.getByRole('button', { name: 'Create', exact: true }).click();
      const shown = page.getByRole('alertdialog', { name: "Code for the first password of o'nell" });
      const first = await shown.getByLabel('Code', { exact: true }).inputValue();
      expect(first).toMatch(/^\w{5}(-\w{5}){4}$/u);
      const address = new URL(page.url()).origin;
      expect(await shown.getByLabel('Command', { exact: true }).inputValue()).toBe(
        `waybill login --url ${address} --user 'o'\\''nell' --code ${first}`,
      );
      expect(await findAccessViolations(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 640 });
      await checkNarrowPage(page, 'the code for a first password');
      await page.keyboard.press('Escape');
      await page.reload();
      await page.getByRole('button', { name: 'Issue a code for the first password', exact: true }).waitFor();
      expect(await shown.count()).toBe(0);
      expect(await page.content()).not.toContain(first);

      await page.getByRole('button', { name: 'Issue a code for the first password', exact: true }).press('Enter');
      const question = page.getByRole('alertdialog').or(page.getByRole('dialog'));
      await question.getByText('Earlier codes no longer work.').waitFor();
      await question.getByRole('button', { name: 'Issue a code for the first password', exact: true }).press('Enter');
      const second = await shown.getByLabel('Code', { exact: true }).inputValue();
      expect(second).not.toBe(first);
      await shown.getByRole('button', { name: 'Close', exact: true }).press('Enter');
      expect(await setPassword(first, 'a-first-password-of-it')).toBe(401);
      expect(await setPassword(second, 'a-first-password-of-it')).toBe(204);
      expect(await setPassword(second, 'another-password-of-it')).toBe(401);

      await page.getByRole('button', { name: 'Issue a code for the first password', exact: true }).press('Enter');
      await question.getByRole('button', { name: 'Issue a code for the first password', exact: true }).press('Enter');
      await question.getByRole('alert').getByText('has a password').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('is offered neither for the own user, nor to those who may not change manager users', async () => {
      const admin = await openAsAdministrator(rig(), '/configuration/manager-users/admin');
      await admin.page.getByRole('heading', { name: 'API keys' }).waitFor();
      const otto = await rig().logIn('ada', '/configuration/manager-users/otto');
      await otto.page.getByRole('heading', { level: 1 }).waitFor();
      for (const { page } of [admin, otto]) expect(await page.getByText('Issue a code').count()).toBe(0);
      expect([admin.takeErrors(), otto.takeErrors()]).toEqual([[], []]);
    });
  });
}
