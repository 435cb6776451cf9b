import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../open-browser.ts';
import { fillLogin, type PartnersRig } from './open-partners.ts';

/** The list is read every five seconds. */
const noticedWithinMs = 8_000;

/** Addresses that no link of the pages has, and what others do to what is shown. */
export function testAddresses(rig: () => PartnersRig): void {
  describe('addresses of partners in a browser', () => {
    it.each([
      '?sort=__proto__',
      '?direction=__proto__',
      '?details=javascript:alert(1)',
      '?details={"a":1}',
      '?details=[1]&page={}',
      '?details=true',
      '?filter={"a":1}',
      '?filter=null',
      '?filter=true&deep=true',
    ])('show the folder without what is wrong in %s', async (search) => {
      const { page, takeErrors } = await rig().logIn('/');
      await page.goto(`${rig().platform.url}/ui/${search}`);
      await page.getByRole('button', { name: 'inbox', exact: true }).waitFor();
      expect(await page.getByRole('dialog').count()).toBe(0);
      expect(await page.getByRole('alert').count()).toBe(0);
      await page.getByRole('columnheader', { name: 'Size' }).getByRole('button').click();
      await page.waitForURL(/sort=size/u);
      await page.getByRole('button', { name: 'inbox', exact: true }).waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('leads from a folder that does not exist to all folders', async () => {
      const { page, takeErrors } = await rig().browser.newPage();
      await page.goto(`${rig().platform.url}/ui/inbox/nowhere`);
      await fillLogin(page);
      await page.getByRole('alert').waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'To all folders' }).click();
      await page.getByRole('button', { name: 'inbox' }).waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it.each(['%', 'data/%E0%A4%A'])('that cannot be decoded lead to all folders: /ui/%s', async (path) => {
      const { page } = await rig().logIn('/');
      await page.goto(`${rig().platform.url}/ui/${path}`);
      await page.getByRole('heading', { name: 'There is no such page' }).waitFor();
      expect(await page.getByRole('alert').count()).toBe(0);
      await page.getByRole('link', { name: 'To all folders' }).click();
      await page.getByRole('button', { name: 'inbox', exact: true }).waitFor();
    });

    it('say within some seconds that the file or folder is gone whose details are open, and offer nothing of it', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox');
      await rig().sftp('mkdir /inbox/goner', 'mkdir /inbox/goner/inner');
      const put = async (path: string): Promise<void> => {
        const stored = await page.request.put(`${rig().platform.url}/2.0/files${path}`, { data: 'x' });
        expect(stored.status(), path).toBe(201);
      };
      for (const path of ['/inbox/gone.txt', '/inbox/goner/moved.txt']) await put(path);
      const dialog = page.getByRole('dialog');
      const offered = () =>
        dialog.getByRole('tab', { name: 'Preview' }).or(dialog.getByText('Download', { exact: true }));
      for (const [path, change] of [
        ['/inbox/gone.txt', 'rm /inbox/gone.txt'],
        ['/inbox/goner/moved.txt', 'rename /inbox/goner /inbox/gone-elsewhere'],
      ] as const) {
        await page.goto(`${rig().platform.url}/ui/inbox?details=${path}`);
        await dialog.getByText(path, { exact: true }).waitFor();
        await expect.poll(() => offered().count()).toBe(2);
        await rig().sftp(change);
        await dialog
          .getByRole('alert')
          .getByText('There is no such file any more')
          .waitFor({ timeout: noticedWithinMs });
        expect(await offered().count()).toBe(0);
        expect(await findAccessViolations(page)).toEqual([]);
      }
      // It is there again, and so is what can be done with it.
      await put('/inbox/gone.txt');
      await page.goto(`${rig().platform.url}/ui/inbox?details=/inbox/gone.txt`);
      await expect.poll(() => offered().count()).toBe(2);
      await rig().sftp('rm /inbox/gone.txt');
      await dialog.getByRole('alert').waitFor({ timeout: noticedWithinMs });
      await put('/inbox/gone.txt');
      await expect.poll(() => offered().count(), { timeout: noticedWithinMs }).toBe(2);
      await page.goto(`${rig().platform.url}/ui/inbox?details=/inbox/gone-elsewhere/inner/`);
      await dialog.getByText('Files are kept until they are deleted.').waitFor();
      await rig().sftp('rmdir /inbox/gone-elsewhere/inner');
      await dialog
        .getByRole('alert')
        .getByText('There is no such folder any more')
        .waitFor({ timeout: noticedWithinMs });
      expect(await dialog.getByText('Files are kept until they are deleted.').count()).toBe(0);
      expect(takeErrors()).toEqual([]);
    });

    it('say that no name matches', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox');
      await page.goto(`${rig().platform.url}/ui/inbox?filter=no-such-name`);
      await page.getByRole('status').getByText('No name matches the filter.', { exact: true }).waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('show lists whose rows stay where they are when one is selected, with the whole zone of each time', async () => {
      for (const [width, timezoneId] of [
        [1_280, 'Asia/Kathmandu'],
        [900, 'America/St_Johns'],
        [320, 'Asia/Kathmandu'],
      ] as const) {
        const options = { timezoneId, viewport: { width, height: 720 } };
        const { page, takeErrors } = await rig().logIn('/inbox', options);
        const name = `a-steady-${width}.txt`;
        const stored = await page.request.put(`${rig().platform.url}/2.0/files/inbox/${name}`, { data: 'x' });
        expect(stored.status()).toBe(201);
        await page.reload();
        const box = page.getByLabel(`Select ${name}`, { exact: true });
        await box.waitFor();
        const before = await box.boundingBox();
        await box.check();
        await page.getByRole('button', { name: 'Rename or move', exact: true }).waitFor();
        expect((await box.boundingBox())?.y, `at ${width}`).toBe(before?.y);
        expect(await findCutCells(page), `at ${width}`).toEqual([]);
        const times = await page.locator('.grid-rows .cell-time').allInnerTexts();
        expect(times.join(), `at ${width}`).toMatch(/ GMT[+-]\d/u);
        await box.uncheck();
        expect((await box.boundingBox())?.y, `at ${width}`).toBe(before?.y);
        expect(takeErrors()).toEqual([]);
      }
    });
  });
}

/** Times and sizes that are not seen as a whole in their rows. */
function findCutCells(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('.grid-rows :is(.cell-size, .cell-time)')]
    .filter((cell) => {
      // Folders have no time.
      if (cell.textContent === '') return false;
      const [inner, row] = [cell.getBoundingClientRect(), cell.parentElement.getBoundingClientRect()];
      const isInside = inner.top >= row.top && inner.bottom <= row.bottom && inner.left >= row.left && inner.right <= row.right;
      return !isInside || inner.height === 0 || cell.scrollWidth > cell.clientWidth || cell.scrollHeight > cell.clientHeight + 2;
    })
    .map((cell) => cell.textContent)`);
}
