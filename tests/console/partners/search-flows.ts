import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../open-browser.ts';
import { checkNarrowPage } from '../page-checks.ts';
import type { PartnersRig } from './open-partners.ts';

/** Partners search below a folder. */
export function testSearches(rig: () => PartnersRig): void {
  describe('a file in a browser', () => {
    it('is found by a search through all folders, which the address keeps', async () => {
      const { page, takeErrors } = await rig().logIn('/');
      await rig().sftp('mkdir /inbox/deep', 'mkdir /inbox/deep/deeper');
      await rig().sftp(`put ${await rig().writeTestFile('needle.txt', 'x')} /inbox/deep/deeper/needle.txt`);
      await page.getByLabel('With subfolders').check();
      await page.getByRole('searchbox').fill('needle');
      const hit = page.getByRole('button', { name: 'needle.txt' });
      await hit.waitFor();
      await page.getByText(/^1 found in \d+ folders\.$/u).waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await page.reload();
      await hit.click();
      await page.getByRole('dialog').getByText('/inbox/deep/deeper/needle.txt').waitFor();
      await page.goBack();
      await page.getByRole('dialog').waitFor({ state: 'detached' });
      await hit.waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('is one of the hits of a search, which are sorted by each column as the address says', async () => {
      const { page, takeErrors } = await rig().logIn('/');
      await rig().sftp('mkdir /inbox/sorting', 'mkdir /inbox/sorting/aa', 'mkdir /inbox/sorting/zz');
      const put = async (path: string, size: number): Promise<void> =>
        void (await rig().sftp(`put ${await rig().writeTestFile('hit', 'x'.repeat(size))} /inbox/sorting/${path}`));
      await put('zz/hit-1.txt', 9);
      await put('aa/hit-2.txt', 10);
      await put('hit-3.txt', 100);
      await page.goto(`${rig().platform.url}/ui/inbox/sorting?filter=hit&deep=true`);
      const hits = () => page.locator('.results tbody button.name').allInnerTexts();
      const sortBy = (title: string) => page.locator('.results thead').getByRole('button', { name: title }).click();
      await page.getByText(/^3 found in \d+ folders\.$/u).waitFor();
      expect(await hits()).toEqual(['hit-1.txt', 'hit-2.txt', 'hit-3.txt']);
      for (const [title, sorted] of [
        ['Folder', ['hit-3.txt', 'hit-2.txt', 'hit-1.txt']],
        ['Size', ['hit-1.txt', 'hit-2.txt', 'hit-3.txt']],
        ['Stored', ['hit-1.txt', 'hit-2.txt', 'hit-3.txt']],
      ] as const) {
        await sortBy(title);
        await expect.poll(hits).toEqual(sorted);
        await page.locator(`th[aria-sort="ascending"]`, { hasText: title }).waitFor();
        await sortBy(title);
        await expect.poll(hits).toEqual(sorted.toReversed());
      }
      await page.reload();
      await page.getByText(/^3 found in \d+ folders\.$/u).waitFor();
      expect(await hits()).toEqual(['hit-3.txt', 'hit-2.txt', 'hit-1.txt']);
      await page.goBack();
      await expect.poll(hits).toEqual(['hit-1.txt', 'hit-2.txt', 'hit-3.txt']);
      await page.locator('th[aria-sort="ascending"]', { hasText: 'Stored' }).waitFor();
      await page.setViewportSize({ width: 320, height: 640 });
      await checkNarrowPage(page, 'the hits of a search');
      await page.locator('.results thead').getByRole('button', { name: 'Size' }).focus();
      await page.keyboard.press('Enter');
      await page.locator('th[aria-sort="ascending"]', { hasText: 'Size' }).waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('is moved and deleted where a search has found it', async () => {
      const { page, takeErrors } = await rig().logIn('/');
      const local = await rig().writeTestFile('stray.txt', 'x');
      await rig().sftp('mkdir /inbox/found', 'mkdir /inbox/found/below', 'mkdir /inbox/found/other');
      for (const name of ['stray-1.txt', 'stray-2.txt']) await rig().sftp(`put ${local} /inbox/found/below/${name}`);
      await rig().sftp(`put ${local} /inbox/found/stray-3.txt`);
      await page.getByLabel('With subfolders').check();
      await page.getByRole('searchbox').fill('stray');
      await page.getByText(/^3 found in \d+ folders\.$/u).waitFor();
      await page.getByLabel('Select all').check();
      await page.getByText('3 selected').last().waitFor();
      await page.getByRole('button', { name: 'Delete' }).waitFor();
      // An archive is of one folder.
      expect(await page.getByText('Download as zip').count()).toBe(0);
      await page.getByLabel('Select /inbox/found/stray-3.txt').uncheck();
      await page.getByText('Download as zip').waitFor();
      await page.getByRole('button', { name: 'Move', exact: true }).click();
      await page.getByLabel('To the folder').fill('/inbox/found/other');
      await page.keyboard.press('Enter');
      await page.getByLabel('Select /inbox/found/other/stray-1.txt').check();
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByText(/^2 found in \d+ folders\.$/u).waitFor();
      expect((await rig().sftp('ls -1 /inbox/found/other')).stdout).not.toContain('stray-1.txt');
      expect(await findAccessViolations(page)).toEqual([]);
      expect(takeErrors()).toEqual([]);
    });
  });
}
