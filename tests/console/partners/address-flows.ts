import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../open-browser.ts';
import { fillLogin, type PartnersRig } from './open-partners.ts';

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

    it('say that a file is gone whose details are open, and that no name matches', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox');
      const address = `${rig().platform.url}/2.0/files/inbox/gone.txt`;
      expect((await page.request.put(address, { data: 'x' })).status()).toBe(201);
      await page.goto(`${rig().platform.url}/ui/inbox?details=/inbox/gone.txt`);
      await page.getByRole('dialog').getByText('/inbox/gone.txt', { exact: true }).waitFor();
      await rig().sftp('rm /inbox/gone.txt');
      await page.getByRole('dialog').getByRole('alert').getByText('There is no such file any more').waitFor();
      await page.goto(`${rig().platform.url}/ui/inbox?filter=no-such-name`);
      await page.getByRole('status').getByText('No name matches the filter.', { exact: true }).waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('show lists whose rows stay where they are when one is selected, with the whole zone of each time', async () => {
      for (const [width, timezoneId] of [
        [1_280, 'Asia/Kathmandu'],
        [900, 'America/St_Johns'],
        [320, 'UTC'],
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
        const cut = await page.evaluate<string[]>(`[...document.querySelectorAll('.grid-rows .cell-time')]
          .filter((cell) => cell.scrollWidth > cell.clientWidth || cell.scrollHeight > 44).map((cell) => cell.textContent)`);
        expect(cut, `at ${width}`).toEqual([]);
        await box.uncheck();
        expect((await box.boundingBox())?.y, `at ${width}`).toBe(before?.y);
        expect(takeErrors()).toEqual([]);
      }
    });
  });
}
