import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import type { WatchedPage } from '../open-browser.ts';
import type { PartnersRig } from '../partners/open-partners.ts';
import { costsOfTasks } from './scroll-costs.ts';

/** More than fits into the storage that the tabs of a browser share. */
const manyFiles = Number(process.env['TREE_FILES'] ?? 3_000);
const manyFolders = Number(process.env['TREE_FOLDERS'] ?? 200);

/** Of processor time: a user notices more. */
const taskAtMostMs = 100;

/** Folders with more in them than is quick to read, to create, or to remember. */
export function testLargeTrees(rig: () => PartnersRig): void {
  describe('large folders that are uploaded', () => {
    it('can be stopped while they are read, and never stop the page, also where they have no end', async () => {
      const { page, takeErrors } = await openWithFolder(
        rig(),
        'endless',
        `await folder.getFileHandle('one.txt', { create: true });`,
      );
      await page.evaluate(`(() => {
        const { values } = FileSystemDirectoryHandle.prototype;
        FileSystemDirectoryHandle.prototype.values = async function* () {
          for (;;) yield* values.call(this);
        };
      })()`);
      const { longestTaskMs } = await costsOfTasks(page, async () => {
        await page.getByRole('button', { name: 'Upload a folder' }).click();
        await page.getByText(/^Reading the folders: [\d,]{5,} files so far, 0 of 1 folders…$/u).waitFor();
        await page.getByRole('button', { name: 'Stop', exact: true }).click();
        await page.getByText('Reading the folders').waitFor({ state: 'detached' });
      });
      expect(longestTaskMs).toBeLessThan(taskAtMostMs);
      expect(await page.evaluate<string>('document.activeElement.id')).toBe('files');
      expect(await page.getByRole('region', { name: 'Uploads' }).count()).toBe(0);
      expect(takeErrors()).toEqual([]);
    });

    it('say how many of their empty folders are there yet, and can be stopped then', async () => {
      const { page, takeErrors } = await openWithFolder(
        rig(),
        'hollow',
        `for (let index = 0; index < ${manyFolders}; index += 1)
          await folder.getDirectoryHandle('folder-' + index, { create: true });`,
      );
      const all = (manyFolders + 1).toLocaleString('en');
      await page.getByRole('button', { name: 'Upload a folder' }).click();
      await page.getByText(new RegExp(`^Creating the folders: \\d+ of ${all}…$`, 'u')).waitFor();
      await page.getByRole('button', { name: 'Stop', exact: true }).click();
      await page.getByText('Creating the folders').waitFor({ state: 'detached' });
      expect(await page.getByRole('alert').count()).toBe(0);
      const created = async (): Promise<number> => {
        const { stdout } = await rig().sftp('ls -1 /inbox/hollow');
        return stdout.split('\n').filter((line) => line.includes('folder-')).length;
      };
      expect(await created()).toBeLessThan(manyFolders);
      await page.getByRole('button', { name: 'Upload a folder' }).click();
      await expect.poll(created, { timeout: 60_000 }).toBe(manyFolders);
      expect(takeErrors()).toEqual([]);
    });

    it('are all in the queue again after a reload, and leave nothing in the browser when they are removed', async () => {
      const { page, takeErrors } = await openWithFolder(
        rig(),
        'remembered',
        `for (let first = 0; first < ${manyFiles}; first += 100)
          await Promise.all(
            Array.from({ length: 100 }, (_, index) => folder.getFileHandle(first + index + '.txt', { create: true })),
          );`,
      );
      page.on('dialog', (dialog) => void dialog.accept());
      const status = page.getByRole('region', { name: 'Uploads' }).getByRole('status');
      await page.getByRole('button', { name: 'Upload a folder' }).click();
      await page.getByText(new RegExp(`of ${manyFiles} stored`, 'u')).waitFor();
      await page.getByRole('button', { name: 'Pause all' }).click();
      await page.getByRole('button', { name: 'Resume all' }).waitFor();
      // What was just being stored may still be reported.
      const countStored = async () => Number.parseInt(await status.innerText(), 10);
      await expect.poll(async () => (await countKept(page)) + (await countStored())).toBe(manyFiles);
      const stored = await countStored();
      const reloading = await costsOfTasks(page, async () => {
        await page.reload();
        await page.getByText(`0 of ${manyFiles - stored} stored`).waitFor();
        // The browser finds all files again; they stay paused.
        const toFind = page.getByRole('button', { name: /^Remove all that failed or were interrupted/u });
        await toFind.waitFor({ state: 'detached' });
        await page.getByRole('button', { name: 'Resume all' }).waitFor();
      });
      expect(reloading.longestTaskMs).toBeLessThan(3 * taskAtMostMs);
      expect(await page.locator('.transfer').count()).toBe(200);
      await page.getByRole('button', { name: 'Remove all that are not stored', exact: true }).click();
      await page.getByRole('region', { name: 'Uploads' }).waitFor({ state: 'detached' });
      await expect.poll(() => countKept(page)).toBe(0);
      expect(takeErrors()).toEqual([]);
    });
  });
}

/** A page of acme's inbox whose button for folders chooses a folder of the browser's own file system, which the script `fill` fills. */
async function openWithFolder(rig: PartnersRig, name: string, fill: string): Promise<WatchedPage> {
  const watched = await rig.logIn('/inbox');
  const { page } = watched;
  const folder = `navigator.storage.getDirectory().then((root) => root.getDirectoryHandle('${name}', { create: true }))`;
  await page.addInitScript(`window.showDirectoryPicker = () => ${folder}`);
  await page.reload();
  await page.evaluate(`${folder}.then(async (folder) => {
    ${fill}
  })`);
  return watched;
}

/** The uploads that the storage and the database of the browser remember, with the handles of their files. */
function countKept(page: Page): Promise<number> {
  return page.evaluate<number>(`(async () => {
    const inStorage = Object.keys(localStorage).filter((key) => key.startsWith('waybill-upload:')).length;
    const done = (request) => new Promise((resolve) => (request.onsuccess = () => resolve(request.result)));
    const open = (name, store) => done(indexedDB.open(name)).then((db) => db.transaction(store).objectStore(store));
    const parts = await done((await open('waybill-queue', 'parts')).getAll());
    const aside = parts.reduce((sum, { records }) => sum + records.length, 0);
    const handles = await done((await open('waybill-uploads', 'handles')).count());
    return handles === 0 || handles === 2 * (inStorage + aside) ? inStorage + aside : -1;
  })()`);
}
