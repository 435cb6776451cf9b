import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { chooseFiles, type PartnersRig } from './open-partners.ts';
import { hash, hashOfStoredFile, openTabs, row, slowly, stored, waits } from './tab-flows.ts';

/** Partners choose the same file in two tabs of one browser, the first of which hangs while it sends the file. */
export function testHangingTabs(rig: () => PartnersRig): void {
  describe('a file that is uploaded in a tab that hangs', () => {
    const tabs = (name: string, bytesPerSecond?: number) => openTabs(rig(), name, '', bytesPerSecond);
    const hashOfStored = (name: string) => hashOfStoredFile(rig(), name);

    it('is completed by another one, and is stored for both when the first one is back', async () => {
      const { first, second, file, begun, takeErrors } = await tabs('tab-hangs');
      await chooseFiles(second, file);
      await waits(second).waitFor();
      const hanging = hang(first);
      // The browser itself sends the rest.
      await stored(second).waitFor({ timeout: 25_000 });
      expect(hanging.isHanging()).toBe(true);
      expect(await hashOfStored('tab-hangs')).toBe(await hash(file));
      await hanging.done;
      await stored(first).waitFor();
      expect([await row(first).count(), await row(second).count()]).toEqual([1, 1]);
      expect(begun).toHaveLength(1);
      expect(await hashOfStored('tab-hangs')).toBe(await hash(file));
      expect(takeErrors()).toEqual([]);
    });

    it('is sent by one of them at a time if the browser goes on sending, until the first one is back', async () => {
      const { first, second, file, begun, limits, takeErrors } = await tabs('tab-back', 200 * 1_024);
      await limits.get(second)?.(slowly);
      await chooseFiles(second, file);
      await waits(second).waitFor();
      const hanging = hang(first);
      // The server takes nothing of the second one meanwhile: the first one still sends.
      await second.getByText(/It is tried again soon/u).waitFor({ timeout: 25_000 });
      expect(hanging.isHanging()).toBe(true);
      await hanging.done;
      await waits(first).waitFor();
      for (const page of [second, first]) await stored(page).waitFor();
      expect(begun).toHaveLength(1);
      expect(await hashOfStored('tab-back')).toBe(await hash(file));
      expect(takeErrors()).toEqual([]);
    });
  });
}

/** Has a page do nothing else for half a minute. */
function hang(page: Page) {
  let isHanging = true;
  const done = (async () => {
    await page.evaluate('for (const end = performance.now() + 30_000; performance.now() < end; );');
    isHanging = false;
  })();
  return { done, isHanging: () => isHanging };
}
