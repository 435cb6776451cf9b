import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { shareAbove, writeBigFile } from '../large/interrupted-upload.ts';
import { limitUploads } from '../large/limit-uploads.ts';
import { findAccessViolations } from '../open-browser.ts';
import { chooseFiles, type PartnersRig } from './open-partners.ts';

const mebibyte = 1_024 ** 2;

/** So slow that there is time to do something in another tab. */
export const slowly = 2 * mebibyte;

/** Partners choose the same file in two tabs of one browser. */
export function testTabs(rig: () => PartnersRig): void {
  describe('a file that is uploaded in two tabs', () => {
    const tabs = (name: string, script?: string) => openTabs(rig(), name, script);
    const hashOfStored = (name: string) => hashOfStoredFile(rig(), name);

    it('is sent by one of them, and is stored for both', async () => {
      const { first, second, file, begun, unlimited, takeErrors } = await tabs('tab-once');
      await chooseFiles(second, file);
      await waits(second).waitFor();
      expect(await findAccessViolations(second)).toEqual([]);
      // It waits without a share, a speed and a remaining time of its own.
      expect(await row(second).getByRole('progressbar').getAttribute('value')).toBe('0');
      await unlimited();
      for (const page of [first, second]) await stored(page).waitFor();
      expect(begun).toHaveLength(1);
      expect(await hashOfStored('tab-once')).toBe(await hash(file));
      expect(takeErrors()).toEqual([]);
    });

    it('is continued by the other one, in its own row, when the first one pauses it or is closed', async () => {
      const { first, second, file, share, begun, unlimited, takeErrors } = await tabs('tab-closed');
      await chooseFiles(second, file);
      await waits(second).waitFor();
      await first.getByRole('button', { name: 'Pause: tab-closed.bin' }).click();
      const continued = await shareAbove(second, share * 0.8);
      await first.getByRole('button', { name: 'Resume: tab-closed.bin' }).click();
      await waits(first).waitFor();
      await second.getByRole('button', { name: 'Pause: tab-closed.bin' }).click();
      await shareAbove(first, continued * 0.8);
      await second.getByRole('button', { name: 'Resume: tab-closed.bin' }).click();
      await waits(second).waitFor();
      await first.close();
      await shareAbove(second, continued * 0.8);
      await unlimited();
      await stored(second).waitFor();
      expect(await row(second).count()).toBe(1);
      expect(begun).toHaveLength(1);
      expect(await hashOfStored('tab-closed')).toBe(await hash(file));
      await second.reload();
      await second.getByRole('button', { name: 'tab-closed.bin' }).waitFor();
      expect(await row(second).count()).toBe(0);
      expect(takeErrors()).toEqual([]);
    });

    it('stays on the server when the tab that waits for it takes it off its list', async () => {
      const { first, second, file, begun, unlimited, takeErrors } = await tabs('tab-removed');
      await chooseFiles(second, file);
      await waits(second).waitFor();
      await second.getByRole('button', { name: 'Remove from the list: tab-removed.bin' }).click();
      await expect.poll(() => row(second).count()).toBe(0);
      await unlimited();
      await stored(first).waitFor();
      expect(begun).toHaveLength(1);
      expect(await hashOfStored('tab-removed')).toBe(await hash(file));
      expect(takeErrors()).toEqual([]);
    });

    it('hangs in neither where the browser has no locks: one of them stores it, and the other says how it ended', async () => {
      // As on a page of plain HTTP.
      const { first, second, file, unlimited, takeErrors } = await tabs(
        'tab-unlocked',
        `Object.defineProperty(window, 'isSecureContext', { value: false })`,
      );
      await chooseFiles(second, file);
      await second.waitForTimeout(2_000);
      await unlimited();
      for (const page of [first, second])
        await expect.poll(() => row(page).innerText()).toMatch(/Stored|exists already|Failed/u);
      expect(await hashOfStored('tab-unlocked')).toBe(await hash(file));
      expect(takeErrors()).toEqual([]);
    });
  });
}

/** Two tabs of a new folder, in the first of which a file is being uploaded; `script` runs in both before the page. */
export async function openTabs(rig: PartnersRig, name: string, script = '', bytesPerSecond = slowly) {
  await rig.sftp(`mkdir /inbox/${name}`);
  const file = await writeBigFile(rig, `${name}.bin`, 12 * mebibyte);
  const { page: first, takeErrors } = await rig.logIn(`/inbox/${name}`);
  await first.context().addInitScript(script);
  await first.reload();
  const second = await first.context().newPage();
  await second.goto(`${rig.platform.url}/ui/inbox/${name}`);
  await second.getByRole('grid').waitFor();
  const begun: string[] = [];
  first.context().on('response', (response) => {
    if (response.request().method() === 'POST' && response.url().endsWith('/2.0/uploads')) begun.push(response.url());
  });
  const limits = new Map<Page, (bytesPerSecond: number) => Promise<void>>();
  for (const page of [first, second]) limits.set(page, await limitUploads(page, bytesPerSecond));
  await chooseFiles(first, file);
  const share = await shareAbove(first, 0.05);
  const unlimited = async (): Promise<void> => {
    for (const [page, limit] of limits) if (!page.isClosed()) await limit(-1);
  };
  return { first, second, file, share, begun, limits, unlimited, takeErrors };
}

/** The row of the only upload of a page. */
export const row = (page: Page) => page.locator('.transfer');

/** What a page says while another tab sends its upload. */
export const waits = (page: Page) => page.getByText('Is being uploaded in another tab', { exact: true });

/** What a page says when its only upload is stored. */
export const stored = (page: Page) => page.getByText('1 of 1 stored');

/** The SHA-256 of a local file. */
export const hash = async (file: string): Promise<string> =>
  createHash('sha256')
    .update(await readFile(file))
    .digest('hex');

/** The SHA-256 of what SFTP reads of the file that was uploaded to the folder of this name. */
export async function hashOfStoredFile(rig: PartnersRig, name: string): Promise<string> {
  const copy = join(rig.folder, `${name}.copy`);
  await rig.sftp(`get /inbox/${name}/${name}.bin ${copy}`);
  return hash(copy);
}
