import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { PartnersRig } from './open-partners.ts';

/** Partners log out while something is on its way. */
export function testLogouts(rig: () => PartnersRig): void {
  describe('a logout of a partner in a browser', () => {
    it('stays one when a response arrives after it, and shows nothing of the user any more', async () => {
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
