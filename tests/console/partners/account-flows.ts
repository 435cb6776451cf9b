import type { Page } from 'playwright-core';
import { expect, describe, it } from 'vitest';
import { findAccessViolations } from '../open-browser.ts';
import { findSpoiledPlaces } from '../page-checks.ts';
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
      await panel.getByLabel('Current password').fill('umbrella-demo');
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
      await page.getByRole('alertdialog').getByLabel('Current password').fill('umbrella-demo');
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
      expect(await page.getByRole('main').innerText()).not.toContain('AppleWebKit');
      for (const width of [1280, 768, 320]) {
        await page.setViewportSize({ width, height: 640 });
        expect(await findBrokenCells(page), `at ${width} pixels`).toEqual([]);
        expect(await findSpoiledPlaces(page), `at ${width} pixels`).toEqual([]);
      }
      await page.setViewportSize({ width: 1100, height: 750 });
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
        await page.getByLabel('Current password').fill(present);
        await page.getByLabel('New password', { exact: true }).fill(next);
        await page.getByLabel('New password, again').fill(repeated);
        await page.getByRole('button', { name: 'Change the password' }).click();
      };
      // There is no second factor: no code is asked for.
      await page.getByText('Logins need your password alone').waitFor();
      expect(await page.getByLabel('Code of the second factor').count()).toBe(0);
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

/** What cannot be read in the table of transfers: times, sizes and buttons of more than one line, and narrow or hidden cells. */
function findBrokenCells(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const found = [];
    const table = document.querySelector('.transfer-history');
    for (const cell of table.querySelectorAll('th, td:not(.long), td .button')) {
      const lines = new Set();
      const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
      for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
        const range = document.createRange();
        range.selectNodeContents(text);
        for (const { top, bottom } of range.getClientRects()) lines.add(Math.round((top + bottom) / 24));
      }
      const atMost = cell.querySelector('small') === null ? 1 : 3;
      if (lines.size > atMost) found.push(lines.size + ' lines: ' + cell.textContent);
    }
    for (const cell of table.querySelectorAll('td.long'))
      if (cell.getBoundingClientRect().width < 120) found.push('narrow: ' + cell.textContent);
    const last = table.querySelector('td:last-child');
    table.scrollLeft = table.scrollWidth;
    if (last.getBoundingClientRect().right > table.getBoundingClientRect().right + 1) found.push('out of reach');
    table.scrollLeft = 0;
    return found;
  })()`);
}
