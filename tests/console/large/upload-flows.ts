import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { drop } from '../partners/drop-files.ts';
import { chooseFiles, fillLogin, type PartnersRig } from '../partners/open-partners.ts';
import { completeInterruptedUpload, shareAbove, writeBigFile } from './interrupted-upload.ts';
import { limitUploads } from './limit-uploads.ts';
import { costsOfTasks } from './scroll-costs.ts';

const mebibyte = 1_024 ** 2;

/** So slow that there is time to pause the upload before it is over. */
const slowly = { bytesPerSecond: 4 * mebibyte, bytes: 128 * mebibyte };

const manyFiles = 20_000;

/** Of processor time: a user notices more. */
const taskAtMostMs = 100;

/** The bytes of the interrupted upload, if somebody wants more than is quick, and its transcript. */
const asked = process.env['WAYBILL_UPLOAD_BYTES'];

/** Uploads that take a while. */
export function testUploads(rig: () => PartnersRig): void {
  describe('uploads of a browser', () => {
    it('complete in spite of two reloads of the page and a killed server', { timeout: 600_000 }, async () => {
      const report = asked === undefined ? () => {} : (line: string) => void process.stdout.write(`${line}\n`);
      const { sent, stored } = await completeInterruptedUpload(rig(), {
        bytes: Number(asked ?? 128 * mebibyte),
        report,
      });
      expect(stored).toBe(sent);
    });

    it('go on by themselves after a reload where the browser finds the file again', { timeout: 200_000 }, async () => {
      const file = await writeBigFile(rig(), 'found.bin', 128 * mebibyte);
      const { page, takeErrors } = await rig().logIn('/inbox');
      page.on('dialog', (dialog) => void dialog.accept());
      const limit = await limitUploads(page, 20_000_000);
      await drop(page, file);
      const share = await shareAbove(page, 0.1);
      await page.reload();
      expect(await shareAbove(page, 0)).toBeGreaterThanOrEqual(share * 0.5);
      await limit(-1);
      await page.getByText('1 of 1 stored').waitFor();
      expect((await rig().sftp('ls -l /inbox/found.bin')).stdout).toContain(String(128 * mebibyte));
      await page.reload();
      await page.getByRole('button', { name: 'found.bin' }).first().waitFor();
      expect(await page.getByRole('region', { name: 'Uploads' }).count()).toBe(0);
      expect(takeErrors()).toEqual([]);
    });

    it('belong to one user, and one page at a time: another tab takes them over when that page is gone', async () => {
      const file = await writeBigFile(rig(), 'tabs.bin', slowly.bytes);
      const { page, takeErrors } = await rig().logIn('/inbox');
      await limitUploads(page, slowly.bytesPerSecond);
      await chooseFiles(page, file);
      await shareAbove(page, 0.05);
      await page.getByRole('button', { name: 'Pause: tabs.bin' }).click();
      const other = await page.context().newPage();
      await other.goto(`${rig().platform.url}/ui/inbox`);
      await other.getByRole('button', { name: 'Upload files' }).waitFor();
      expect(await other.getByRole('region', { name: 'Uploads' }).count()).toBe(0);
      await page.close();
      const interrupted = other.getByText('Interrupted. Choose the same file again to continue.');
      await interrupted.waitFor();
      // Another user of this browser sees nothing of it, also in a page that was there before.
      const witness = await other.context().newPage();
      await witness.goto(`${rig().platform.url}/ui/inbox`);
      await witness.getByText('Logged in as acme').waitFor();
      await other.getByRole('button', { name: 'Log out' }).click();
      await fillLogin(other, 'umbrella-demo', 'tom');
      for (const seen of [other, witness]) {
        await seen.getByText('Logged in as tom').waitFor();
        await seen.getByRole('button', { name: 'inbox' }).waitFor();
        expect(await seen.getByText('tabs.bin').count()).toBe(0);
        expect(new URL(seen.url()).pathname).toBe('/ui/');
      }
      await witness.close();
      await other.getByRole('button', { name: 'Log out' }).click();
      await fillLogin(other);
      await interrupted.waitFor();
      await other.getByRole('button', { name: 'Remove from the list: tabs.bin' }).click();
      await other.getByRole('region', { name: 'Uploads' }).waitFor({ state: 'detached' });
      expect(takeErrors()).toEqual([]);
    });

    it('stop when they are paused, go on when they are resumed, and leave nothing when they are removed', async () => {
      const file = await writeBigFile(rig(), 'paused.bin', slowly.bytes);
      const { page, takeErrors } = await rig().logIn('/inbox');
      await limitUploads(page, slowly.bytesPerSecond);
      const created = page.waitForResponse((response) => response.request().method() === 'POST' && response.ok());
      await chooseFiles(page, file);
      const address = (await (await created).headerValue('location')) ?? '';
      await shareAbove(page, 0.05);
      await page.getByRole('button', { name: 'Pause: paused.bin' }).click();
      await page.getByText('Paused', { exact: true }).waitFor();
      const offset = () => offsetOf(page, address);
      // The server notices the end of the request a moment later.
      let last = -1;
      await expect.poll(async () => last === (last = await offset())).toBe(true);
      expect(last).toBeGreaterThan(0);
      expect(last).toBeLessThan(slowly.bytes);
      await page.getByRole('button', { name: 'Resume: paused.bin' }).click();
      await expect.poll(offset).toBeGreaterThan(last);
      await page.getByRole('button', { name: 'Pause: paused.bin' }).click();
      await page.getByRole('button', { name: 'Remove from the list: paused.bin' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Remove', exact: true }).click();
      await expect.poll(offset).toBe(-1);
      await expect.poll(() => page.getByText('paused.bin').count()).toBe(0);
      expect(takeErrors()).toEqual([]);
    });

    it(
      'bring a dropped tree with its nested and empty folders, also into folders that exist',
      { timeout: 240_000 },
      async () => {
        const { page, takeErrors } = await rig().logIn('/inbox');
        await mkdir(join(rig().folder, 'tree/deep/deeper'), { recursive: true });
        await mkdir(join(rig().folder, 'tree/empty/inner'), { recursive: true });
        // More than the hundred entries that a browser returns at a time.
        for (let index = 0; index < 120; index += 1) await rig().writeTestFile(`tree/deep/${index}.txt`, `${index}`);
        await rig().writeTestFile('tree/deep/deeper/last.txt', 'last');
        await rig().sftp('mkdir /inbox/tree', 'mkdir /inbox/tree/deep');
        await drop(page, join(rig().folder, 'tree'));
        // What failed is named first.
        const panel = () => page.getByRole('region', { name: 'Uploads' }).innerText({ timeout: 60_000 });
        await expect
          .poll(async () => (await panel()).slice(0, 400), { timeout: 180_000 })
          .toContain('121 of 121 stored');
        const { stdout } = await rig().sftp('ls -1 /inbox/tree', 'ls -1 /inbox/tree/empty', 'ls -1 /inbox/tree/deep');
        for (const name of ['tree/empty', 'empty/inner', 'deep/deeper', 'deep/0.txt', 'deep/119.txt'])
          expect(stdout).toContain(name);
        expect((await rig().sftp('ls -1 /inbox/tree/deep/deeper')).stdout).toContain('last.txt');
        expect(takeErrors()).toEqual([]);
      },
    );

    it('show that nothing is sent any more, and no remaining time, when the server stands still', async () => {
      const file = await writeBigFile(rig(), 'stalled.bin', slowly.bytes);
      const { page, takeErrors } = await rig().logIn('/inbox');
      const limit = await limitUploads(page, slowly.bytesPerSecond);
      await chooseFiles(page, file);
      await shareAbove(page, 0.05);
      const row = page.locator('.transfer');
      await expect.poll(() => row.innerText()).toMatch(/MiB\/s · .* left/u);
      await rig().platform.signal('http-files', 'SIGSTOP');
      try {
        await expect.poll(() => row.innerText()).toMatch(/% · 0 bytes\/s$/mu);
      } finally {
        await rig().platform.signal('http-files', 'SIGCONT');
      }
      await limit(-1);
      await page.getByText('1 of 1 stored').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it(
      'can be many: a folder of 20 000 files neither stops the page nor slows them down',
      { timeout: 400_000 },
      async () => {
        const { page, takeErrors } = await rig().logIn('/inbox');
        page.on('dialog', (dialog) => void dialog.accept());
        // Of the browser's own file system: for an input, the browser itself needs a second to list so many files of the disk.
        await page.addInitScript(`window.showDirectoryPicker = async () =>
          (await navigator.storage.getDirectory()).getDirectoryHandle('many-files')`);
        await page.reload();
        await page.evaluate(`(async () => {
          const folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('many-files', { create: true });
          for (let first = 0; first < ${manyFiles}; first += 100)
            await Promise.all(
              Array.from({ length: 100 }, (_, index) => folder.getFileHandle(first + index + '.txt', { create: true })),
            );
        })()`);
        const status = page.getByRole('region', { name: 'Uploads' }).getByRole('status');
        const all = new RegExp(`of ${manyFiles} stored`, 'u');
        const stored = async (): Promise<number> => Number.parseInt(await status.innerText(), 10);
        const costs = await costsOfTasks(page, async () => {
          await page.getByRole('button', { name: 'Upload a folder' }).click();
          await page.getByText(all).waitFor({ timeout: 200_000 });
        });
        const rate = async (): Promise<number> => {
          const [before, startedAtMs] = [await stored(), performance.now()];
          await page.waitForTimeout(5_000);
          return ((await stored()) - before) / ((performance.now() - startedAtMs) / 1_000);
        };
        let perSecond = 0;
        const running = await costsOfTasks(page, async () => {
          perSecond = await rate();
        });
        process.stdout.write(
          `${manyFiles} files: longest task ${costs.longestTaskMs.toFixed(0)} ms while they are added, ` +
            `${running.longestTaskMs.toFixed(0)} ms while they are uploaded, ${perSecond.toFixed(1)} a second\n`,
        );
        expect(costs.longestTaskMs).toBeLessThan(taskAtMostMs);
        expect(running.longestTaskMs).toBeLessThan(taskAtMostMs);
        expect(await page.locator('.transfer').count()).toBe(200);
        await page.getByRole('button', { name: 'Pause all' }).click();
        await page.getByRole('button', { name: 'Resume all' }).waitFor();
        expect(takeErrors()).toEqual([]);
      },
    );

    it('bring a folder that was chosen, and say so where a file has the name of a folder', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox');
      await mkdir(join(rig().folder, 'chosen/inner'), { recursive: true });
      await rig().writeTestFile('chosen/inner/one.txt', 'one');
      const choose = () =>
        page.getByLabel('Upload a folder').and(page.locator('input')).setInputFiles(join(rig().folder, 'chosen'));
      await choose();
      await page.getByText('1 of 1 stored').waitFor();
      expect((await rig().sftp('ls -1 /inbox/chosen/inner')).stdout).toContain('one.txt');
      const local = await rig().writeTestFile('flat', 'a file');
      await rig().sftp(
        'rm /inbox/chosen/inner/one.txt',
        'rmdir /inbox/chosen/inner',
        `put ${local} /inbox/chosen/inner`,
      );
      await choose();
      await expect
        .poll(() => page.getByRole('alert').textContent())
        .toMatch(/None .* \/inbox\/chosen\/inner: .*already/u);
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('alert').waitFor({ state: 'detached' });
      expect(takeErrors()).toEqual([]);
    });
  });
}

/** What the server has of an upload; -1 if it does not know it. */
async function offsetOf(page: Page, address: string): Promise<number> {
  const response = await page.request.head(address, { headers: { 'Tus-Resumable': '1.0.0' } });
  return response.ok() ? Number(response.headers()['upload-offset']) : -1;
}
