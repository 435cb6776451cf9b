import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Response } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import type { WatchedPage } from '../open-browser.ts';
import type { PartnersRig } from '../partners/open-partners.ts';
import { leastScrollCosts } from './scroll-costs.ts';
import { leastTime, openSlowly, timeUntilUsable, usableWithinMs } from './usable-in-time.ts';

const entries = 100_000;

/** The most that a page may load before it can be used. */
const firstLoadBytes = 250 * 1_024;

/** A longer one is felt. */
const longestTaskAtMostMs = 100;

/** A folder that is longer than any page can hold. */
export function testLargeFolder(rig: () => PartnersRig): void {
  describe('a folder of 100 000 entries in a browser', () => {
    beforeAll(async () => {
      await rig().sftp('mkdir /inbox/many');
      const db = connectPostgres({ url: rig().platform.databaseUrl, applicationName: 'test', poolSize: 1 });
      // The trigger that counts is slow in long transactions.
      for (let first = 1; first < entries; first += 1_000) {
        await db.raw(
          `INSERT INTO filebox.entries (vfs_id, parent_id, kind, name, owner)
           SELECT vfs_id, id, 'folder', lpad(n::text, 6, '0'), ''
           FROM filebox.entries, generate_series(?::int, ?::int) AS n WHERE name = 'many'`,
          [first, first + 999],
        );
      }
      await db.destroy();
    }, 180_000);

    it('is shown after a first load of at most 250 KiB', async () => {
      const { page, takeErrors } = await rig().browser.newPage();
      const responses: Response[] = [];
      page.on('response', (response) => responses.push(response));
      await page.goto(`${rig().platform.url}/ui/inbox/many`);
      await page.getByLabel('Password', { exact: true }).waitFor();
      const sizes = await Promise.all(responses.map((response) => response.request().sizes()));
      const bytes = sizes.reduce((sum, { responseBodySize }) => sum + responseBodySize, 0);
      expect(bytes).toBeGreaterThan(50_000);
      expect(bytes).toBeLessThanOrEqual(firstLoadBytes);
      expect(takeErrors()).toEqual([]);
    });

    it('is crossed with End and Home, which keep the focus in the list', async () => {
      const { page, takeErrors } = await openMany(rig());
      const focusedRow = () => page.evaluate<string | null>(`document.activeElement.getAttribute('data-row')`);
      await page.locator('[data-row="0"]').focus();
      await page.keyboard.press('End');
      await page.getByRole('button', { name: '100000' }).waitFor();
      await expect.poll(focusedRow).toBe('99999');
      await page.keyboard.press('ArrowUp');
      await expect.poll(focusedRow).toBe('99998');
      await page.keyboard.press('Home');
      await page.getByRole('button', { name: '000001' }).waitFor();
      await expect.poll(focusedRow).toBe('0');
      await page.keyboard.press('PageDown');
      await expect.poll(async () => Number(await focusedRow())).toBeGreaterThan(5);
      expect(takeErrors()).toEqual([]);
    });

    it('is scrolled without a task of more than 100 ms', async () => {
      const { page, takeErrors } = await openMany(rig());
      const { longestTaskMs, tasks } = await leastScrollCosts(page, { enoughMs: longestTaskAtMostMs });
      await page.locator('.grid-rows [aria-busy=true]').first().waitFor({ state: 'detached' });
      expect(tasks).toBeGreaterThan(240);
      expect(longestTaskMs).toBeLessThanOrEqual(longestTaskAtMostMs);
      expect(takeErrors()).toEqual([]);
    });

    it('can be used within 1.5 s of a slow processor', async () => {
      const login = { selector: 'input[autocomplete=username]' };
      const openLogin = async () =>
        timeUntilUsable((await rig().browser.newPage()).page, `${rig().platform.url}/ui/`, login);
      expect(await leastTime(openLogin)).toBeLessThanOrEqual(usableWithinMs);
      const { page, takeErrors } = await rig().logIn('/inbox');
      const address = `${rig().platform.url}/ui/inbox/many`;
      const file = { selector: 'button', text: '000001' };
      expect(await leastTime(() => timeUntilUsable(page, address, file))).toBeLessThanOrEqual(usableWithinMs);
      await openSlowly(page, address, file);
      expect(takeErrors()).toEqual([]);
    });
  });
}

async function openMany(rig: PartnersRig): Promise<WatchedPage> {
  const watched = await rig.logIn('/inbox/many');
  await watched.page.getByRole('button', { name: '000001' }).waitFor();
  await expect.poll(() => watched.page.getByRole('grid').getAttribute('aria-rowcount')).toBe(String(entries + 1));
  return watched;
}
