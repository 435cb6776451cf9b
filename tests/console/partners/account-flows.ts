import { expect, describe, it } from 'vitest';
import { findAccessViolations } from '../open-browser.ts';
import { confirmSecret, keepRecoveryCodes } from '../second-factor-steps.ts';
import { chooseFiles, fillLogin, type PartnersRig } from './open-partners.ts';

/** Partners look after their own accounts. */
export function testAccounts(rig: () => PartnersRig): void {
  describe("partners' own accounts in a browser", () => {
    const openAccount = async (password: string) => {
      const watched = await rig().browser.newPage();
      await watched.page.goto(`${rig().platform.url}/ui/inbox`);
      await fillLogin(watched.page, password, 'tom');
      await watched.page.getByRole('grid').waitFor();
      await watched.page.getByRole('button', { name: 'Account' }).click();
      return watched;
    };

    it('shows the SSH keys of the user, says why one is refused, adds one, and deletes it', async () => {
      const { page, takeErrors } = await openAccount('umbrella-demo');
      await page.getByText('You have no SSH key.').waitFor();
      const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';
      await page.getByLabel('Public key').fill('no key');
      await page.getByRole('button', { name: 'Add a key' }).click();
      await page.getByRole('alert').waitFor();
      await page.getByLabel('Public key').fill(`${key} <b>laptop</b>`);
      await page.getByRole('button', { name: 'Add a key' }).click();
      await page.getByRole('button', { name: 'Delete: <b>laptop</b>' }).click();
      await page.getByRole('alertdialog').getByText('SHA256:').waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'Delete: <b>laptop</b>' }).waitFor({ state: 'detached' });
      await page.reload();
      await page.getByRole('button', { name: 'Back to the files' }).click();
      await page.getByRole('grid').waitFor();
      expect(new URL(page.url()).pathname).toBe('/ui/inbox');
      expect(takeErrors()).toEqual([]);
    });

    it('sets up a second factor, which logins then ask for, and removes it', async () => {
      const { page, takeErrors } = await rig().browser.newPage({ viewport: { width: 320, height: 640 } });
      await page.goto(`${rig().platform.url}/ui/inbox`);
      await fillLogin(page, 'umbrella-demo', 'tim');
      await page.getByRole('grid').waitFor();
      await page.getByRole('button', { name: 'Account' }).click();
      await page.getByRole('button', { name: 'Set up a second factor' }).click();
      const panel = page.getByRole('region', { name: 'Second factor' });
      await panel.getByLabel('Present password').fill('umbrella-demo');
      await page.keyboard.press('Enter');
      await confirmSecret(page, 'tim');
      const codes = await keepRecoveryCodes(page);
      await page.getByText('Recovery codes left').waitFor();
      await page.getByRole('button', { name: 'Log out' }).click();
      await fillLogin(page, 'umbrella-demo', 'tim');
      const code = page.getByLabel('Code of the second factor');
      await code.waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await code.fill('000000');
      await page.keyboard.press('Enter');
      await expect.poll(() => page.getByRole('alert').textContent()).toContain('The code is not valid');
      await code.fill(codes[0] ?? '');
      await page.keyboard.press('Enter');
      const left = page.getByText('Recovery codes left').locator('..');
      await expect.poll(() => left.textContent()).toContain('9');
      await page.getByRole('button', { name: 'Remove the second factor' }).click();
      await page.getByRole('alertdialog').getByLabel('Present password').fill('umbrella-demo');
      await page
        .getByRole('alertdialog')
        .getByLabel('Code of the second factor')
        .fill(codes[1] ?? '');
      await page.keyboard.press('Enter');
      await page.getByText('Logins need your password alone').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('shows the open sessions, ends another one, and lists the transfers with their receipts', async () => {
      const other = await openAccount('umbrella-demo');
      const { page, takeErrors } = await openAccount('umbrella-demo');
      await page.getByText('HTTP (this session)').waitFor();
      await page.getByText('You have transferred no file yet.').waitFor();
      await page.getByRole('button', { name: 'End session: HTTP' }).first().click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'End session' }).click();
      await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0);
      await page.getByRole('button', { name: 'Back to the files' }).click();
      await chooseFiles(page, await rig().writeTestFile('mine.txt', 'of tom'));
      await page.getByText('1 of 1 stored').waitFor();
      await page.getByRole('button', { name: 'Account' }).click();
      const shown = async (): Promise<string> => {
        await page.reload();
        await page.getByRole('heading', { name: 'Your transfers' }).waitFor();
        await page.getByText('Loading…').first().waitFor({ state: 'detached' });
        return await page.getByRole('main').innerText();
      };
      await expect.poll(shown).toContain('mine.txt');
      expect(await page.getByRole('row').nth(1).innerText()).toMatch(/Upload\s.*mine\.txt\s+6 bytes/u);
      await (await page.request.get(`${rig().platform.url}/2.0/files/inbox/mine.txt`)).body();
      await expect.poll(shown).toMatch(/Download\s.*mine\.txt\s+6 bytes/u);
      // The receipt outlives its file.
      expect((await page.request.delete(`${rig().platform.url}/2.0/files/inbox/mine.txt`)).ok()).toBe(true);
      await page.getByRole('button', { name: 'Receipt: /inbox/mine.txt' }).click();
      await page.getByText('✓ Verified: the signature is made with this key').waitFor();
      expect(await page.getByText('✗').count()).toBe(0);
      expect(await findAccessViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      expect(await findAccessViolations(page)).toEqual([]);
      expect(takeErrors()).toEqual([]);
      await other.page.reload();
      await other.page.getByRole('button', { name: 'Log in' }).waitFor();
    });

    it('changes the password, says why one is refused, and asks for the login again', async () => {
      const { page, takeErrors } = await openAccount('umbrella-demo');
      const change = async (present: string, next: string, repeated = next): Promise<void> => {
        await page.getByLabel('Present password').fill(present);
        await page.getByLabel('New password', { exact: true }).fill(next);
        await page.getByLabel('New password, again').fill(repeated);
        await page.getByRole('button', { name: 'Change the password' }).click();
      };
      await change('umbrella-demo', 'correct horse battery', 'another');
      await page.getByText('The two new passwords differ.').waitFor();
      await change('umbrella-demo', 'short');
      await page.getByText('The new password is not allowed').waitFor();
      await change('umbrella-demo', 'correct horse battery');
      await page.getByText('The password has been changed. Log in with the new one.').waitFor();
      await fillLogin(page, 'correct horse battery', 'tom');
      await page.getByText('SSH keys').first().waitFor();
      expect(takeErrors()).toEqual([]);
    });
  });
}
