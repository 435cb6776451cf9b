import { describe, expect, it } from 'vitest';
import { checkNarrowPage, nameInHeader } from '../page-checks.ts';
import type { PartnersRig } from './open-partners.ts';

/** Partners use the list of a folder in a window of 320 pixels. */
export function testNarrowLists(rig: () => PartnersRig): void {
  describe('the list of a folder at a width of 320 pixels', () => {
    it('shows name, size and time of each file, is sorted by each of them, and fills the window', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox', { viewport: { width: 320, height: 640 } });
      await rig().sftp('mkdir /inbox/rows');
      const contents = {
        'a-name-that-is-longer-than-its-row-in-a-narrow-window.txt': 20_000,
        'b.txt': 1,
        'c.txt': 300,
      };
      for (const [name, size] of Object.entries(contents)) {
        const address = `${rig().platform.url}/2.0/files/inbox/rows/${name}`;
        expect((await page.request.put(address, { data: 'x'.repeat(size) })).status()).toBe(201);
      }
      await page.goto(`${rig().platform.url}/ui/inbox/rows`);
      const row = (name: RegExp) => page.getByRole('row', { name });
      await row(/^Select b\.txt b\.txt 1 byte .*20\d\d, \d\d:\d\d/u).waitFor();
      await row(/narrow-window\.txt \d+ KiB .*20\d\d, \d\d:\d\d/u).waitFor();
      const first = page.locator('[data-row="0"]').getByRole('button');
      for (const [title, ascending, descending] of [
        ['Size', 'b.txt', 'a-name'],
        ['Stored', 'a-name', 'c.txt'],
        ['Name', 'a-name', 'c.txt'],
      ] as const) {
        const header = page.getByRole('columnheader', { name: title });
        const button = header.getByRole('button');
        await button.click();
        await expect.poll(() => header.getAttribute('aria-sort')).toBe('ascending');
        await expect.poll(() => first.innerText()).toContain(ascending);
        await button.click();
        await expect.poll(() => first.innerText()).toContain(descending);
      }
      await checkNarrowPage(page, 'the list');
      for (const part of ['.grid-head', '.grid-rows'])
        expect(
          await page.evaluate(
            `(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('${part}'))`,
          ),
        ).toBe(0);
      const bottom = () =>
        page.evaluate<number>(`document.querySelector('[role=grid]').getBoundingClientRect().bottom`);
      expect(await bottom()).toBe(640);
      await page.getByLabel('Select b.txt').check();
      await page.getByRole('button', { name: 'Rename or move' }).waitFor();
      expect(await bottom()).toBe(640);
      // All that can be done with it is in sight, without scrolling sideways.
      const buttons = await page.locator('.selection').getByRole('button').or(page.locator('.selection a')).all();
      expect(buttons.length).toBeGreaterThanOrEqual(5);
      for (const button of buttons) {
        const { x = -1, width = 0 } = (await button.boundingBox()) ?? {};
        expect(x).toBeGreaterThanOrEqual(0);
        expect(x + width).toBeLessThanOrEqual(320);
      }
      expect(await nameInHeader(page)).toBe('acme');
      // Each row is as high as in a wide window, which the list of a large folder relies on.
      const heights = `[...document.querySelectorAll('[data-row]')].map(({ offsetHeight }) => offsetHeight)`;
      expect(await page.evaluate(heights)).toEqual([44, 44, 44]);
      expect(takeErrors()).toEqual([]);
    });
  });
}
