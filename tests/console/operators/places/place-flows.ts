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
    'Back and a reload lead to the row of %s where the user was, a link to the first',
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
      await page.reload();
      await expect.poll(() => atFocus(page, `at.getAttribute('href')`)).toBe(href);
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

  it.each([
    { width: 1280, height: 500 },
    { width: 320, height: 640 },
  ])('Back and a reload lead to the row of a small table where the user was, at $width × $height', async (viewport) => {
    const { page, takeErrors } = await openAsAdministrator(rig(), '/');
    await page.setViewportSize(viewport);
    const button = page.getByRole('group', { name: 'Queues' }).getByRole('button').last();
    const top = () =>
      page.evaluate<number>(`document.querySelector('main').scrollTop + document.documentElement.scrollTop`);
    const row = `at.closest('tr')?.dataset.place`;
    await button.scrollIntoViewIfNeeded();
    await button.focus();
    const [offset, place] = [await top(), await atFocus(page, row)];
    expect(offset).toBeGreaterThan(0);
    expect(place).toContain('Queues');
    await page.reload();
    await expect.poll(() => atFocus(page, row)).toBe(place);
    await expect.poll(async () => Math.abs((await top()) - offset)).toBeLessThan(44);
    // A press would move the focus.
    await page.getByRole('link', { name: 'All expected files, with what came of them' }).dispatchEvent('click');
    await page.getByRole('heading', { name: 'Expected files' }).waitFor();
    expect(await top()).toBe(0);
    await page.goBack();
    await expect.poll(() => atFocus(page, row)).toBe(place);
    await expect.poll(async () => Math.abs((await top()) - offset)).toBeLessThan(44);
    expect(takeErrors()).toEqual([]);
  });

  it('places that are no places, and a list whose cursor is refused, are left at the beginning', async () => {
    await fillJobs(rig().platform, { jobs: 600 });
    const { page } = await openAsAdministrator(rig(), '/jobs');
    await page.locator('.table-rows').getByRole('link').first().waitFor();
    await page.addInitScript(`if (sessionStorage.getItem('hostile') !== null) {
      const entry = history.state.__TSR_key;
      const list = JSON.parse(sessionStorage.getItem('places of lists'));
      for (const [, place] of list) Object.assign(place, { progress: { cursors: [null, '"><script>', 'x'], tail: 4 }, offset: 9000 });
      sessionStorage.setItem('places of lists', JSON.stringify(list));
      sessionStorage.setItem('places', JSON.stringify([[entry, { offsets: ['x', {}], focus: { name: {}, ordinal: 'y', row: '"]' } }], 7]));
    }`);
    for (const hostile of ['cursor', 'text']) {
      await page.evaluate(`sessionStorage.setItem('hostile', '${hostile}')`);
      await page.reload();
      await page.locator('.table-rows').getByRole('link').first().waitFor();
      await expect.poll(() => page.getByRole('alert').count()).toBe(0);
    }
  });
}
