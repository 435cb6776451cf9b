import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../../open-browser.ts';
import { nameInHeader } from '../../page-checks.ts';
import { sendLogin } from '../../send-login.ts';
import type { OperatorsRig } from '../open-operators.ts';
import { beginUpload } from '../uploads/begin-upload.ts';

/** Lists by their addresses below `/console`, of which each has an entry but those of webhooks and approvals. */
const lists = ['/jobs', '/audit', '/configuration/users', '/webhooks', '/approvals', '/uploads'];

/** Cells of lists that cannot be read: narrower than what is in them and than 60 pixels; times that are cut off; titles beside their columns. */
async function findUnreadableCells(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(async () => {
    const found = [];
    const cells = [...document.querySelectorAll('[role=cell], [role=columnheader]')].filter((cell) => cell.textContent.trim() !== '');
    for (const cell of cells) {
      const { width } = cell.getBoundingClientRect();
      const isCut = cell.scrollWidth > cell.clientWidth;
      if (isCut && (width < 60 || cell.querySelector('time') !== null)) found.push(width + ' pixels: ' + cell.textContent);
    }
    for (const rows of document.querySelectorAll('.table-rows')) {
      rows.scrollLeft = rows.scrollWidth;
      await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      const leftOf = (cell) => cell && Math.round(cell.getBoundingClientRect().left);
      const title = leftOf(rows.parentElement.querySelector('[role=columnheader]:last-child'));
      const cell = leftOf(rows.querySelector('[role=cell]:last-child:not(:first-child)'));
      if (cell && Math.abs(cell - title) > 1) found.push('the last title is at ' + title + ', the column at ' + cell);
      const { right } = rows.getBoundingClientRect();
      if (cell && cell > right) found.push('the last column is not reached');
    }
    return found;
  })()`);
}

/** Lists on small windows. */
export function testNarrowLists(rig: () => OperatorsRig): void {
  describe('lists at 320 pixels, in the console', () => {
    // Those with the longest names.
    it.each(['Asia/Kolkata', 'Pacific/Chatham'])(
      'scroll sideways, so that each column can be read, in the time zone %s',
      async (timezoneId) => {
        const [job] = await rig().submit(1);
        await beginUpload(rig().platform, 'acme', '/inbox/narrow');
        const { page, takeErrors } = await rig().browser.newPage({ viewport: { width: 320, height: 640 }, timezoneId });
        await page.goto(`${rig().platform.url}/console/jobs`);
        await sendLogin(page, 'admin', 'admin-demo');
        await page.getByText('Logged in as admin').waitFor();
        expect(await nameInHeader(page)).toBe('admin');
        const unreadable: string[] = [];
        for (const address of [...lists, `/jobs/${job}`]) {
          await page.goto(`${rig().platform.url}/console${address}`);
          await page.getByRole('table').first().getByRole('columnheader').last().waitFor({ state: 'attached' });
          if (address !== '/webhooks' && address !== '/approvals')
            await page.locator('.table-rows').getByRole('cell').nth(1).waitFor();
          unreadable.push(...(await findUnreadableCells(page)).map((cell) => `${address}: ${cell}`));
          expect(await page.evaluate<number>('document.documentElement.scrollWidth'), address).toBeLessThanOrEqual(320);
          expect(await findAccessViolations(page), address).toEqual([]);
        }
        expect(unreadable).toEqual([]);
        expect(takeErrors()).toEqual([]);
      },
    );
  });
}
