import { randomBytes } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { shareAbove } from '../large/interrupted-upload.ts';
import { limitUploads } from '../large/limit-uploads.ts';
import { findAccessViolations } from '../open-browser.ts';
import { chooseFiles, fillLogin, type PartnersRig } from './open-partners.ts';

const mebibyte = 1_024 ** 2;

/** A user of a partner logs out, which the server may not do. */
export function testLogouts(rig: () => PartnersRig): void {
  describe('a user who logs out', () => {
    const logOut = (page: Page) => page.getByRole('button', { name: 'Log out', exact: true }).press('Enter');
    const stillIn = (page: Page) => page.getByRole('alertdialog', { name: 'You are still logged in' });
    const account = async (page: Page): Promise<number> =>
      (await page.request.get(`${rig().platform.url}/2.0/account`)).status();

    it('is told when the server has not ended the session, while uploads go on, and tries again', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox');
      const file = await rig().writeTestFile('during-logout.bin', randomBytes(24 * mebibyte));
      const limit = await limitUploads(page, mebibyte);
      await chooseFiles(page, file);
      const sent = await shareAbove(page, 0);
      await page.route('**/2.0/logout', (route) => route.abort());
      await logOut(page);
      const dialog = stillIn(page);
      await dialog.getByText('The server cannot be reached').waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      expect(await page.getByText('You have logged out.').count()).toBe(0);
      expect(await account(page)).toBe(200);
      await page.unroute('**/2.0/logout');
      await page.route('**/2.0/logout', (route) => route.fulfill({ status: 503, body: '<h1>503</h1>' }));
      await dialog.getByRole('button', { name: 'Log out', exact: true }).press('Enter');
      await dialog.getByText('status 503').waitFor();
      expect(await account(page)).toBe(200);

      await page.unroute('**/2.0/logout');
      await dialog.getByRole('button', { name: 'Log out', exact: true }).press('Enter');
      await page.getByText('You have logged out.').waitFor();
      expect(await account(page)).toBe(401);
      await fillLogin(page);
      // The upload goes on, and did so while the logout failed.
      expect(await shareAbove(page, 0)).toBeGreaterThan(sent);
      await limit(-1);
      await page.getByText('1 of 1 stored').waitFor();
      expect((await rig().sftp('ls -l /inbox/during-logout.bin')).stdout).toContain(String(24 * mebibyte));
      expect(takeErrors()).toEqual([]);
    });

    it('is told after 15 s that a server does not answer', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox');
      await page.route('**/2.0/logout', () => undefined);
      const before = performance.now();
      await logOut(page);
      await stillIn(page).getByText('The server has not answered for 15 s.').waitFor();
      const afterMs = performance.now() - before;
      expect(afterMs).toBeGreaterThan(14_000);
      expect(afterMs).toBeLessThan(20_000);
      expect(takeErrors()).toEqual([]);
    });

    it('has logged out if the session had ended before, but not by the word of a proxy', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox');
      await page.route('**/2.0/logout', (route) => route.fulfill({ status: 401, body: '<h1>Proxy login</h1>' }));
      await logOut(page);
      await stillIn(page).getByText('status 401').waitFor();
      await page.unroute('**/2.0/logout');
      await page.route('**/2.0/logout', (route) =>
        route.fulfill({ status: 200, body: '<h1>Welcome to the hotel</h1>' }),
      );
      await stillIn(page).getByRole('button', { name: 'Log out', exact: true }).press('Enter');
      await stillIn(page).getByText('status 200').waitFor();
      expect(await account(page)).toBe(200);
      await page.unroute('**/2.0/logout');
      // The page does not learn it from anything else.
      await page.route('**/2.0/**', (route) =>
        route.request().url().endsWith('/2.0/logout') ? route.fallback() : route.abort(),
      );
      expect((await page.request.post(`${rig().platform.url}/2.0/logout`)).status()).toBe(200);
      await stillIn(page).getByRole('button', { name: 'Log out', exact: true }).press('Enter');
      await page.getByText('You have logged out.').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('is not told so any more when another tab has logged out', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox');
      await page.route('**/2.0/logout', (route) => route.abort());
      await logOut(page);
      await stillIn(page).waitFor();
      const other = await page.context().newPage();
      await other.goto(`${rig().platform.url}/ui/`);
      await other.getByRole('grid').waitFor();
      await logOut(other);
      await other.getByText('You have logged out.').waitFor();
      await page.getByText('Your session has ended').waitFor();
      await fillLogin(page);
      await page.getByRole('grid').waitFor();
      expect(await stillIn(page).count()).toBe(0);
      expect(takeErrors()).toEqual([]);
    });

    it('stays logged out when a response arrives later, and sees nothing any more', async () => {
      await mkdir(join(rig().folder, 'late-tree/inner'), { recursive: true });
      await rig().writeTestFile('late-tree/inner/one.txt', 'one');
      const { page, takeErrors } = await rig().logIn('/inbox');
      const release = await holdResponse(page);
      await page
        .getByLabel('Upload a folder')
        .and(page.locator('input'))
        .setInputFiles(join(rig().folder, 'late-tree'));
      await release.arrived;
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByText('You have logged out.').waitFor();
      await page.getByLabel('User name').fill('tom');
      // Had the page opened again, the refusal of its next requests would close it a moment later: they are held, too.
      await page.route('**/2.0/directories/**', () => undefined);
      const answered = page.waitForResponse('**/2.0/folders/**');
      release.send();
      await answered;
      await page.waitForTimeout(500);
      expect(await page.getByRole('grid').count()).toBe(0);
      expect(await page.getByText('You have logged out.').count()).toBe(1);
      expect(await page.getByLabel('User name').inputValue()).toBe('tom');
      expect(takeErrors()).toEqual([]);
    });
  });
}

/** Holds the response to the first creation of a folder, which the server has done, until it is told to send it. */
async function holdResponse(page: Page): Promise<{ arrived: Promise<void>; send: () => void }> {
  const [arrived, sent] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(
    '**/2.0/folders/**',
    async (route) => {
      const response = await route.fetch();
      arrived.resolve();
      await sent.promise;
      await route.fulfill({ response });
    },
    { times: 1 },
  );
  return { arrived: arrived.promise, send: sent.resolve };
}
