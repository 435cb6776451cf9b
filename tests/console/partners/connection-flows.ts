import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { writeBigFile } from '../large/interrupted-upload.ts';
import { limitUploads } from '../large/limit-uploads.ts';
import { findAccessViolations } from '../open-browser.ts';
import { checkNarrowPage } from '../page-checks.ts';
import { chooseFiles, type PartnersRig } from './open-partners.ts';

const mebibyte = 1_024 ** 2;

/** Partners whose network is lost, or whose server fails. */
export function testConnections(rig: () => PartnersRig): void {
  describe('the pages of a partner without the server', () => {
    it('say that the list is old, since when and why, while the network is lost', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox');
      const row = page.getByRole('grid');
      const before = await row.boundingBox();
      const lostAt = Date.now();
      await page.context().setOffline(true);
      const notice = noticeOf(page);
      await notice.getByText('The server cannot be reached. Check the network connection.').waitFor();
      expect(Date.now() - lostAt).toBeLessThan(10_000);
      const after = await row.boundingBox();
      expect([after?.x, after?.y]).toEqual([before?.x, before?.y]);
      expect(await page.getByRole('alert').count()).toBe(0);
      expect(await findAccessViolations(page)).toEqual([]);
      await page.setViewportSize({ width: 320, height: 640 });
      await checkNarrowPage(page, 'old');
      await page.context().setOffline(false);
      await notice.waitFor({ state: 'detached', timeout: 10_000 });
      expect(takeErrors()).toEqual([]);
    });

    it('say so while the server fails, and why a folder cannot be listed that was not read before', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox');
      await page.route('**/2.0/**', (route) => route.fulfill({ status: 503, body: 'down' }));
      const failedAt = Date.now();
      await noticeOf(page).getByText('the status 503').waitFor();
      expect(Date.now() - failedAt).toBeLessThan(12_000);
      await page.unrouteAll();
      await noticeOf(page).waitFor({ state: 'detached', timeout: 10_000 });

      await page.context().setOffline(true);
      await page.getByRole('link', { name: 'All folders', exact: true }).click();
      await page.getByRole('alert').getByText('The server cannot be reached.').waitFor({ timeout: 10_000 });
      await page.evaluate(`(() => {
        window.gaps = 0;
        new MutationObserver(() => (window.gaps += document.querySelector('#files .failure, .failure') === null ? 1 : 0))
          .observe(document.body, { subtree: true, childList: true });
      })()`);
      await page.waitForTimeout(10_000);
      expect(await page.evaluate<number>('window.gaps')).toBe(0);
      await page.context().setOffline(false);
      await page.getByRole('button', { name: 'inbox', exact: true }).waitFor({ timeout: 10_000 });
      expect(takeErrors()).toEqual([]);
    });

    it.each(['/ui/', '/console/'])(
      'show in %s that they are being loaded while their code has not come',
      async (path) => {
        const { page, takeErrors } = await rig().browser.newPage();
        const code = Promise.withResolvers<void>();
        await page.route('**/assets/*.js', async (route) => {
          await code.promise;
          await route.continue();
        });
        await page.goto(rig().platform.url + path, { waitUntil: 'commit' });
        const progress = page.getByRole('progressbar', { name: 'Waybill', exact: true });
        await progress.waitFor();
        expect(await findAccessViolations(page)).toEqual([]);
        code.resolve();
        await page.getByLabel('User name', { exact: true }).waitFor();
        expect(await progress.count()).toBe(0);
        expect(takeErrors()).toEqual([]);
      },
    );

    it('say so while the server does not answer, after 15 seconds', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox');
      await page.route('**/2.0/**', () => undefined);
      const hungAt = Date.now();
      await noticeOf(page).getByText('The server has not answered for 15 s.').waitFor();
      expect(Date.now() - hungAt).toBeLessThan(30_000);
      await page.unrouteAll();
      await noticeOf(page).waitFor({ state: 'detached', timeout: 20_000 });
      expect(takeErrors()).toEqual([]);
    });

    it('keep an upload waiting, which goes on when the network is back', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox');
      const file = await rig().writeTestFile('offline.txt', 'sent later');
      await page.context().setOffline(true);
      await chooseFiles(page, file);
      await page.getByText('It is tried again soon').waitFor();
      await noticeOf(page).waitFor();
      await page.context().setOffline(false);
      await page.getByText('1 of 1 stored').waitFor();
      const copy = join(rig().folder, 'offline.copy');
      await rig().sftp(`get /inbox/offline.txt ${copy}`);
      expect(await readFile(copy, 'utf8')).toBe('sent later');
      expect(takeErrors()).toEqual([]);
    });

    it('offer to load the page again where the code of a part does not arrive, and go on with uploads', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox');
      let loads = 0;
      page.on('domcontentloaded', () => (loads += 1));
      const limit = await limitUploads(page, mebibyte);
      await chooseFiles(page, await writeBigFile(rig(), 'beside.bin', 6 * mebibyte));
      await page.getByText('0 of 1 stored').waitFor();
      await page.route('**/assets/account-page-*.js', (route) => route.abort());
      await page.getByRole('button', { name: 'Account', exact: true }).click();
      const part = page.getByRole('main').getByRole('alert');
      await part.getByText('The server did not send this part of the page.').waitFor();
      await page.unrouteAll();
      await page.waitForTimeout(3_000);
      await page.getByText('1 of 1 stored').waitFor();
      expect(loads).toBe(0);
      await limit(-1);
      expect(await findAccessViolations(page)).toEqual([]);
      await part.getByRole('button', { name: 'Load the page again', exact: true }).click();
      await page.getByRole('heading', { name: 'Open sessions' }).waitFor();
      expect(takeErrors().filter((error) => !error.includes('dynamically imported module'))).toEqual([]);
    });
  });
}

function noticeOf(page: Page) {
  return page.getByRole('status').filter({ hasText: 'What this page shows is not up to date.' });
}
