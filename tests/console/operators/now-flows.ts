import { openSftpSession } from '@waybill/test-kit/open-sftp-session';
import { beforeAll, describe, expect, it } from 'vitest';
import { findAccessViolations, keepScreenshot } from '../open-browser.ts';
import { fillOperatorLogin, type OperatorsRig } from './open-operators.ts';

/** What happens now, in the console. */
export function testNow(rig: () => OperatorsRig): void {
  describe('what happens now, in the console', () => {
    let failed: number;
    beforeAll(async () => {
      [failed = 0] = await rig().submit(1, '/nowhere');
    });

    const openSession = () => openSftpSession({ port: rig().platform.sftpPort, user: 'acme', password: 'acme-demo' });

    it('shows a paused queue to the other operator within two seconds, and who has paused it', async () => {
      const olga = await rig().logIn('olga');
      const otto = await rig().logIn('otto');
      await otto.page.getByRole('button', { name: 'Pause: Default Queue' }).waitFor();
      await olga.page.getByRole('button', { name: 'Pause: Default Queue' }).click();
      await olga.page.getByRole('textbox', { name: 'Why' }).fill('the partner moves its server');
      expect(await findAccessViolations(olga.page)).toEqual([]);
      await olga.page.getByRole('button', { name: 'Pause', exact: true }).click();
      await olga.page.getByRole('dialog').waitFor({ state: 'detached' });
      const before = Date.now();
      await otto.page.getByText('Paused by olga: the partner moves its server').waitFor();
      expect(Date.now() - before).toBeLessThan(2_000);
      await otto.page.getByRole('button', { name: 'Resume: Default Queue' }).click();
      await otto.page.getByRole('textbox', { name: 'Why' }).fill('it has moved');
      await otto.page.getByRole('button', { name: 'Resume', exact: true }).click();
      await olga.page.getByText('Paused by olga').waitFor({ state: 'detached' });
      expect([olga.takeErrors(), otto.takeErrors()]).toEqual([[], []]);
    });

    it('shows open sessions, and ends one', async () => {
      await using session = openSession();
      const { page, takeErrors } = await rig().logIn('olga');
      await page.getByRole('button', { name: /^End the session of acme from/u }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'End' }).click();
      await page.getByText('No SFTP session is open.').waitFor();
      session.send('ls');
      expect((await session.exited).exitCode).not.toBe(0);
      expect(takeErrors()).toEqual([]);
    });

    it('freezes the user of a session and thaws the user again', async () => {
      await using session = openSession();
      const { page, takeErrors } = await rig().logIn('olga');
      await page.getByRole('button', { name: 'Freeze acme' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Freeze' }).click();
      await page.getByText('No SFTP session is open.').waitFor();
      session.send('ls');
      expect((await session.exited).exitCode).not.toBe(0);
      await page.getByLabel('Is this user frozen?').fill('acme');
      await page.keyboard.press('Enter');
      await page.getByText(/acme was frozen by olga/u).waitFor();
      expect(new URL(page.url()).search).toBe('?user=acme');
      await page.getByRole('button', { name: 'Thaw acme' }).click();
      await page.getByRole('dialog').getByRole('button', { name: 'Thaw' }).click();
      await page.getByText('acme is not frozen.').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('shows failures of the last day, the services, and to auditors the audit log with charts', async () => {
      const { page, takeErrors } = await rig().browser.newPage();
      await page.goto(`${rig().platform.url}/console/`);
      await page.getByLabel('User name').fill('admin');
      await page.getByLabel('Password').fill('admin-demo');
      await page.getByRole('button', { name: 'Log in' }).click();
      const lastDay = page.getByRole('group', { name: 'Jobs of the last day' });
      await lastDay.getByRole('link', { name: /^\d+$/u }).waitFor({ timeout: 20_000 });
      await expect.poll(() => page.getByText('Answers').count()).toBe(3);
      await page.getByText('No witness has signed a checkpoint.').waitFor();
      await page.getByText(/^Logins refused: \d+$/u).waitFor();
      await keepScreenshot(page, 'console-now');
      expect(await findAccessViolations(page)).toEqual([]);
      expect(takeErrors()).toEqual([]);
    });

    for (const colorScheme of ['light', 'dark'] as const) {
      it(`is usable at 320 pixels, in the ${colorScheme} scheme, as are the other pages, and by the rules of axe`, async () => {
        const { page, takeErrors } = await rig().browser.newPage({
          colorScheme,
          viewport: { width: 320, height: 640 },
        });
        const check = async (what: string): Promise<void> => {
          expect(await findAccessViolations(page), what).toEqual([]);
          expect(await page.evaluate<number>('document.documentElement.scrollWidth'), what).toBeLessThanOrEqual(320);
        };
        await page.goto(`${rig().platform.url}/console/`);
        await page.getByLabel('User name').waitFor();
        await check('login');
        await fillOperatorLogin(page, 'olga');
        await page.getByRole('heading', { name: 'Queues' }).waitFor();
        await page.getByRole('link', { name: 'Default Queue' }).waitFor();
        await check('now');
        await page.goto(`${rig().platform.url}/console/jobs?status=ERROR`);
        await page.getByLabel(`Select job ${failed}`, { exact: true }).check();
        await page.getByText('More filters').click();
        await check('jobs');
        await page.getByRole('button', { name: 'Resubmit' }).click();
        await page.getByRole('alertdialog').getByText('1 job').first().waitFor();
        await check('change');
        await page.keyboard.press('Escape');
        await page.getByRole('link', { name: String(failed), exact: true }).click();
        await page.getByRole('heading', { name: 'Steps' }).waitFor();
        await check('job');
        expect(takeErrors()).toEqual([]);
      });
    }

    it('can be reached with the keyboard alone', async () => {
      const { page, takeErrors } = await rig().browser.newPage();
      await page.goto(`${rig().platform.url}/console/jobs?status=ERROR`);
      await page.getByLabel('User name').waitFor();
      await page.keyboard.type('olga');
      await page.keyboard.press('Tab');
      await page.keyboard.type('a-password-of-olga');
      await page.keyboard.press('Enter');
      await page.getByLabel(`Select job ${failed}`, { exact: true }).waitFor();
      const pressUntil = async (key: string, isReached: string): Promise<void> => {
        for (let step = 0; step < 40; step += 1) {
          if (await page.evaluate<boolean>(`(() => { const at = document.activeElement; return ${isReached}; })()`))
            return;
          await page.keyboard.press(key);
        }
        throw new Error(`${key} never leads to ${isReached}`);
      };
      await pressUntil('Tab', `at.getAttribute('aria-label') === 'Select job ${failed}'`);
      await page.keyboard.press('Space');
      await page.getByText('1 job selected').waitFor();
      await pressUntil('Shift+Tab', `at.textContent === 'Abort'`);
      await page.keyboard.press('Enter');
      await page.getByText('1 job would change.').waitFor();
      await page.keyboard.press('Escape');
      await pressUntil('Tab', `at.textContent === '${failed}'`);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: `Job ${failed}` }).waitFor();
      // Screen readers begin with the title of the new page.
      expect(await page.evaluate<string>('document.activeElement.tagName')).toBe('H1');
      expect(takeErrors()).toEqual([]);
    });
  });
}
