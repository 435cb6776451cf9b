import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page, Route } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../open-browser.ts';
import { chooseFiles, type PartnersRig } from './open-partners.ts';

/** Partners upload many files, some of which fail or are interrupted. */
export function testQueues(rig: () => PartnersRig): void {
  describe('the uploads of a partner in a browser', () => {
    const openFolder = async (name: string) => {
      await rig().sftp(`mkdir /inbox/${name}`);
      const watched = await rig().logIn(`/inbox/${name}`);
      watched.page.on('dialog', (dialog) => void dialog.accept());
      return watched;
    };
    const writeFiles = (folder: string, names: readonly string[], content: string): Promise<string[]> =>
      mkdir(join(rig().folder, folder), { recursive: true }).then(() =>
        Promise.all(names.map((name) => rig().writeTestFile(join(folder, name), content))),
      );
    /** Until it is called, no upload gets through. */
    const holdUploads = async (page: Page, hold: (route: Route) => Promise<void>): Promise<() => Promise<void>> => {
      await page.route(uploads, hold);
      return () => page.unroute(uploads);
    };
    const offline = (route: Route): Promise<void> => route.abort();
    const rows = (page: Page) => page.locator('.transfer');
    const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true });

    it('keep a failure and its reason through a reload, and replace all files when told to', async () => {
      const { page, takeErrors } = await openFolder('replaced');
      const names = ['one.txt', 'three.txt', 'two.txt'];
      for (const name of names) {
        const address = `${rig().platform.url}/2.0/files/inbox/replaced/${name}`;
        expect((await page.request.put(address, { data: 'before' })).status()).toBe(201);
      }
      const files = await writeFiles('replaced', names, 'after');
      await chooseFiles(page, files);
      for (const name of names) await page.getByText(`${name} exists already.`).waitFor();
      await page.reload();
      for (const name of names) await page.getByText(`${name} exists already.`).waitFor();
      await button(page, 'Replace it: one.txt').waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      // The browser does not know where these files are: they are chosen once more.
      await button(page, 'Replace all (3)').click();
      await page.getByText('these uploads continue.').waitFor();
      await chooseFiles(page, files);
      await page.getByText('3 of 3 stored').waitFor();
      const copy = join(rig().folder, 'replaced.copy');
      await rig().sftp(`get /inbox/replaced/two.txt ${copy}`);
      expect(await readFile(copy, 'utf8')).toBe('after');
      expect(takeErrors()).toEqual([]);
    });

    it('go on in their own rows when their folder is chosen again', async () => {
      const { page, takeErrors } = await openFolder('again');
      await writeFiles('tree/inner', ['one.txt', 'two.txt'], 'inner');
      await writeFiles('tree', ['three.txt', 'four.txt'], 'outer');
      const choose = () =>
        page.getByLabel('Upload a folder').and(page.locator('input')).setInputFiles(join(rig().folder, 'tree'));
      const release = await holdUploads(page, offline);
      await choose();
      await page.getByText('0 of 4 stored').waitFor();
      await page.reload();
      await expect.poll(() => page.getByText('Interrupted. Choose the same file again').count()).toBe(4);
      await release();
      await choose();
      await page.getByText('4 of 4 stored').waitFor();
      expect(await rows(page).count()).toBe(4);
      expect((await rig().sftp('ls -1 /inbox/again/tree/inner')).stdout).toContain('two.txt');
      expect(takeErrors()).toEqual([]);
    });

    it('go on by themselves after a reload when their folder was chosen where the browser keeps what leads to it', async () => {
      const { page, takeErrors } = await openFolder('kept');
      // A test cannot work the picker of the system: the folder is one of the browser's own file system, with true handles.
      await page.addInitScript(`window.showDirectoryPicker = async () =>
        (await navigator.storage.getDirectory()).getDirectoryHandle('chosen')`);
      await page.reload();
      await page.evaluate(`(async () => {
        const chosen = await (await navigator.storage.getDirectory()).getDirectoryHandle('chosen', { create: true });
        await chosen.getDirectoryHandle('empty', { create: true });
        for (const name of ['one.txt', 'two.txt']) {
          const stream = await (await chosen.getFileHandle(name, { create: true })).createWritable();
          await stream.write(name);
          await stream.close();
        }
      })()`);
      const release = await holdUploads(page, offline);
      await button(page, 'Upload a folder').click();
      await page.getByText('0 of 2 stored').waitFor();
      await release();
      await page.reload();
      await page.getByText('2 of 2 stored').waitFor();
      const { stdout } = await rig().sftp('ls -1 /inbox/kept/chosen');
      for (const name of ['empty', 'one.txt', 'two.txt']) expect(stdout).toContain(name);
      expect(takeErrors()).toEqual([]);
    });

    it('ask before what has arrived is deleted, show how far they are together, and fold', async () => {
      const { page, takeErrors } = await openFolder('asked');
      const sent = await page.context().newCDPSession(page);
      const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 400_000 };
      await sent.send('Network.emulateNetworkConditions', slow);
      const files = await writeFiles('asked', ['one.bin', 'other.bin'], 'x'.repeat(6_000_000));
      await chooseFiles(page, files);
      await expect.poll(() => rows(page).first().innerText()).toMatch(/\b[1-9]\d* % · .*\/s · .* left/u);
      const together = page.locator('.queue-progress');
      await expect.poll(() => together.innerText()).toMatch(/\b[1-9]\d* % · .*\/s · .* left/u);
      // Each bar stands below the one before.
      const bars = await Promise.all((await page.locator('.transfer progress').all()).map((bar) => bar.boundingBox()));
      expect(bars.map((box) => [box?.x, box?.width])).toEqual(bars.map(() => [bars[0]?.x, bars[0]?.width]));
      await button(page, 'Remove from the list: one.bin').click();
      const dialog = page.getByRole('alertdialog', { name: 'Remove from the list?' });
      await dialog.getByText(/ have arrived, and are deleted on the server\./u).waitFor();
      expect(await dialog.innerText()).toContain('one.bin');
      expect(await findAccessViolations(page)).toEqual([]);
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      expect(await rows(page).count()).toBe(2);
      await button(page, 'Remove from the list: one.bin').click();
      await dialog.getByRole('button', { name: 'Remove' }).click();
      await expect.poll(() => rows(page).count()).toBe(1);
      await button(page, 'Hide the list').click();
      expect(await rows(page).count()).toBe(0);
      await together.waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await sent.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 });
      await page.getByText('1 of 1 stored').waitFor();
      await page.getByText('1 element', { exact: true }).waitFor();
      await button(page, 'Show the list').click();
      expect(await rows(page).count()).toBe(1);
      expect((await rig().sftp('ls -1 /inbox/asked')).stdout).not.toContain('one.bin');
      expect(takeErrors()).toEqual([]);
    });

    it('say why they are tried again when the server refuses them for now', async () => {
      const { page, takeErrors } = await openFolder('refused');
      const busy = (route: Route): Promise<void> =>
        route.fulfill({ status: 429, json: { message: 'Too many unfinished uploads', detail: 'At most 1000' } });
      const release = await holdUploads(page, busy);
      await chooseFiles(page, await writeFiles('refused', ['late.txt'], 'late'));
      await page.getByText('It is tried again soon: Too many unfinished uploads (At most 1000)').waitFor();
      await release();
      await page.getByText('1 of 1 stored').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('show those that run first, say how many are not shown, and are tried again and removed all at once', async () => {
      const { page, takeErrors } = await openFolder('many');
      const names = Array.from({ length: 205 }, (_, index) => `${index}.txt`);
      let refusals = 0;
      const full = async (route: Route): Promise<void> => {
        refusals += 1;
        await route.fulfill({ status: 507, json: { errorCode: 1, message: 'No room is left' } });
      };
      const release = await holdUploads(page, full);
      await chooseFiles(page, await writeFiles('many', names, 'many'));
      await button(page, 'Try again: all (205)').waitFor();
      await page.getByText('5 more uploads are not shown.').waitFor();
      expect(await rows(page).count()).toBe(200);
      await page.getByText('Failed: No room is left').first().waitFor();
      await button(page, 'Try again: 7.txt').waitFor();
      const before = refusals;
      await button(page, 'Try again: all (205)').click();
      await expect.poll(() => refusals).toBe(2 * before);
      await button(page, 'Try again: all (205)').waitFor();
      await release();
      const waiting = Promise.withResolvers<void>();
      await holdUploads(page, async (route) => {
        await waiting.promise;
        await route.continue();
      });
      await chooseFiles(page, await writeFiles('many', ['last.txt'], 'last'));
      await button(page, 'Pause: last.txt').waitFor();
      expect(await rows(page).first().innerText()).toContain('last.txt');
      await page.getByText('6 more uploads are not shown.').waitFor();
      await button(page, 'Remove all that failed or were interrupted (205)').click();
      await expect.poll(() => rows(page).count()).toBe(1);
      waiting.resolve();
      await page.getByText('1 of 1 stored').waitFor();
      expect(takeErrors()).toEqual([]);
    });
  });
}

/** The addresses of resumable uploads. */
const uploads = '**/2.0/uploads**';
