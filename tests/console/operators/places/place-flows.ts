import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { fillAuditRecords, fillJobs } from '../../fill-lists.ts';
import { openAsAdministrator, type OperatorsRig } from '../open-operators.ts';

/** A row beyond the first page of each list. */
const row = 312;

/** Where a user is in a list when Back leads there. */
export function testKeptPlaces(rig: () => OperatorsRig): void {
  const atFocus = (page: Page, expression: string) =>
    page.evaluate<string | null>(`((at) => ${expression})(document.activeElement)`);
  const scrolled = (page: Page) => page.evaluate<number>(`document.querySelector('.table-rows').scrollTop`);
  const untilRead = (page: Page) => expect.poll(() => page.locator('.table-rows').getByText('Loading').count()).toBe(0);

  it.each(['/jobs', '/audit'])(
    'Back leads to the row of %s where the user was, a link to the first',
    async (address) => {
      await fillJobs(rig().platform, { jobs: 600 });
      await fillAuditRecords(rig().platform, 1_000);
      const { page, takeErrors } = await openAsAdministrator(rig(), address);
      const rows = page.locator('.table-rows');
      await rows.getByRole('link').first().waitFor();
      while ((await scrolled(page)) < row * 44) {
        await page.evaluate(`document.querySelector('.table-rows').scrollBy(0, 1500)`);
        await page.waitForTimeout(50);
        await untilRead(page);
      }
      const shown = rows.locator(`[aria-rowindex="${row}"]`);
      await page.evaluate(`document.querySelector('.table-rows').scrollTo(0, ${(row - 5) * 44})`);
      await shown.waitFor();
      await untilRead(page);
      const link = shown.getByRole('link').first();
      const [text, href, offset] = [await shown.textContent(), await link.getAttribute('href'), await scrolled(page)];
      await link.focus();
      await page.getByRole('link', { name: 'Approvals' }).click();
      await page.getByRole('heading', { name: 'Approvals' }).waitFor();
      await page.goBack();
      await expect.poll(() => atFocus(page, `at.getAttribute('href')`)).toBe(href);
      expect(await atFocus(page, `at.closest('[role=row]').ariaRowIndex`)).toBe(String(row));
      expect(await shown.textContent()).toBe(text);
      expect(Math.abs((await scrolled(page)) - offset)).toBeLessThan(44);
      await page.goForward();
      await page.getByRole('heading', { name: 'Approvals' }).waitFor();
      await page.getByRole('link', { name: address === '/jobs' ? 'Jobs' : 'Audit', exact: true }).click();
      await rows.getByRole('link').first().waitFor();
      expect(await scrolled(page)).toBe(0);
      await expect.poll(() => atFocus(page, 'at.tagName')).toBe('H1');
      expect(takeErrors()).toEqual([]);
    },
  );
}
