import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../open-browser.ts';
import { readZip } from '../read-zip.ts';
import { dragOver } from './drop-files.ts';
import { fillLogin, type PartnersRig } from './open-partners.ts';

/** What partners do with the elements of a folder that they have selected. */
export function testSelections(rig: () => PartnersRig): void {
  describe('the files of a folder in a browser', () => {
    /** A new folder with files, and its page. */
    const openFolder = async (folder: string, names: readonly string[]) => {
      await rig().sftp(`mkdir /inbox/${folder}`);
      const watched = await rig().logIn(`/inbox/${folder}`);
      for (const name of names) {
        const address = `${rig().platform.url}/2.0/files/inbox/${folder}/${name}`;
        expect((await watched.page.request.put(address, { data: name })).status()).toBe(201);
      }
      for (const name of names) await watched.page.getByRole('button', { name, exact: true }).waitFor();
      return watched;
    };
    const select = (page: Page, name: string) => page.getByLabel(`Select ${name}`, { exact: true }).check();
    const clear = (page: Page) => page.getByRole('button', { name: 'Clear the selection' });
    const list = async (folder: string): Promise<string> => (await rig().sftp(`ls -1 ${folder}`)).stdout;

    it('are renamed in their folder by a name alone, also where the user may write everywhere', async () => {
      const { page, takeErrors } = await rig().browser.newPage();
      await page.goto(`${rig().platform.url}/ui/data`);
      await fillLogin(page, 'globex-demo', 'globex');
      await page.getByRole('grid').waitFor();
      const stored = await page.request.put(`${rig().platform.url}/2.0/files/data/named.txt`, { data: 'named' });
      expect(stored.status()).toBe(201);
      await select(page, 'named.txt');
      await page.getByRole('button', { name: 'Rename or move' }).click();
      await page.getByLabel('New name or path').fill('renamed.txt');
      await page.getByText('New path: /data/renamed.txt').waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'renamed.txt' }).waitFor();
      await select(page, 'renamed.txt');
      await page.getByRole('button', { name: 'Rename or move' }).click();
      await page.getByLabel('New name or path').fill('/moved.txt');
      await page.getByText('New path: /moved.txt').waitFor();
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'renamed.txt' }).waitFor({ state: 'detached' });
      expect((await page.request.delete(`${rig().platform.url}/2.0/files/moved.txt`)).ok()).toBe(true);
      expect(takeErrors()).toEqual([]);
    });

    it('have the buttons that are allowed for all of them, whichever was selected first', async () => {
      const { page, takeErrors } = await rig().logIn('/');
      const offered = async (...names: string[]): Promise<void> => {
        for (const name of names) await select(page, name);
        await page.getByText('Download as zip').waitFor();
        expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
        // Neither does the key.
        await page.locator('[data-row="0"]').focus();
        await page.keyboard.press('Delete');
        expect(await page.getByRole('alertdialog').count()).toBe(0);
        await clear(page).click();
        await clear(page).waitFor({ state: 'detached' });
      };
      await offered('outbox', 'archive');
      await offered('archive', 'outbox');
      expect(takeErrors()).toEqual([]);
    });

    it('are what the page shows: none after the filter has changed, and none that is gone', async () => {
      const { page, takeErrors } = await openFolder('picked', ['one.txt', 'three.txt', 'two.txt']);
      for (const name of ['one.txt', 'three.txt', 'two.txt']) await select(page, name);
      await page.getByText('3 selected').last().waitFor();
      await rig().sftp('rm /inbox/picked/three.txt');
      await page.getByText('2 selected').last().waitFor();
      await page.getByRole('searchbox').fill('two');
      await clear(page).waitFor({ state: 'detached' });
      await page.getByRole('button', { name: 'one.txt' }).waitFor({ state: 'detached' });
      await select(page, 'two.txt');
      await page.getByLabel('With subfolders').check();
      await page.getByText(/^1 found in \d+ folders\.$/u).waitFor();
      expect(await clear(page).count()).toBe(0);
      expect(await page.getByRole('button', { name: 'Delete' }).count()).toBe(0);
      expect(takeErrors()).toEqual([]);
    });

    it('are selected all at once, with Shift from one to another, and with the keyboard', async () => {
      const names = ['a.txt', 'b.txt', 'c.txt', 'd.txt', 'e.txt'];
      const { page, takeErrors } = await openFolder('ticked', names);
      const selected = (count: number) => page.getByText(`${count} selected`, { exact: true }).last().waitFor();
      const all = page.getByLabel('Select all');
      await all.check();
      await selected(5);
      await all.uncheck();
      await clear(page).waitFor({ state: 'detached' });
      await select(page, 'b.txt');
      expect(await page.evaluate<boolean>("document.querySelector('.grid-head input').indeterminate")).toBe(true);
      await page.getByLabel('Select d.txt').click({ modifiers: ['Shift'] });
      await selected(3);
      expect(await page.getByLabel('Select c.txt').isChecked()).toBe(true);
      await clear(page).click();
      // The list has the focus then.
      await page.locator('.grid-row:focus').waitFor();
      await page.locator('[data-row="0"]').focus();
      await page.keyboard.press('Shift+ArrowDown');
      await selected(2);
      await page.keyboard.press('ControlOrMeta+A');
      await selected(5);
      await clear(page).click();
      await page.locator('.grid-row:focus').waitFor();
      await page.locator('[data-row="4"]').focus();
      // Without a selection, the key means the row.
      await page.keyboard.press('Delete');
      await page.getByRole('alertdialog').getByText('e.txt').waitFor();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'e.txt' }).waitFor({ state: 'detached' });
      expect(await findAccessViolations(page)).toEqual([]);
      expect(takeErrors()).toEqual([]);
    });

    it('are uploaded by dropping only where the user may upload', async () => {
      const file = await rig().writeTestFile('dropped.txt', 'dropped');
      const { page, takeErrors } = await rig().logIn('/archive');
      await page.getByText('This folder is empty.', { exact: true }).waitFor();
      const hint = page.getByText('Drop to upload into this folder');
      const dropThere = await dragOver(page, file);
      expect(await hint.count()).toBe(0);
      await dropThere();
      expect(new URL(page.url()).pathname).toBe('/ui/archive');
      expect(await page.getByRole('region', { name: 'Uploads' }).count()).toBe(0);
      await rig().sftp('mkdir /inbox/dropped');
      await page.goto(`${rig().platform.url}/ui/inbox/dropped`);
      await page.getByText('This folder is empty. Drop files here to upload them.').waitFor();
      const dropHere = await dragOver(page, file);
      await hint.waitFor();
      await dropHere();
      await page.getByText('1 of 1 stored').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('are moved to a folder, with the outcome of each', async () => {
      const { page, takeErrors } = await openFolder('moving', ['free.txt', 'other.txt', 'taken.txt']);
      const taken = await rig().writeTestFile('taken.txt', 'before');
      await rig().sftp('mkdir /inbox/target', `put ${taken} /inbox/target/taken.txt`);
      for (const name of ['free.txt', 'taken.txt']) await select(page, name);
      await page.getByRole('button', { name: 'Move', exact: true }).click();
      const dialog = page.getByRole('dialog', { name: 'Move 2 elements?' });
      await dialog.getByRole('button', { name: 'Up' }).click();
      await dialog.getByRole('button', { name: 'target', exact: true }).click();
      expect(await dialog.getByLabel('To the folder').inputValue()).toBe('/inbox/target');
      await dialog.getByRole('button', { name: 'Move', exact: true }).click();
      await page.getByText('1 element was not moved.').waitFor();
      const outcomes = await page.getByRole('dialog').getByRole('listitem').allInnerTexts();
      expect(outcomes.find((text) => text.startsWith('free.txt'))).toContain('Moved');
      expect(outcomes.find((text) => text.startsWith('taken.txt'))).toMatch(/already/u);
      expect(await findAccessViolations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      // What has been moved is not selected any more.
      await page.getByText('1 selected').last().waitFor();
      expect(await list('/inbox/target')).toContain('free.txt');
      expect(await list('/inbox/moving')).toMatch(/other\.txt\s+.*taken\.txt/u);
      expect(takeErrors()).toEqual([]);
    });

    it('are downloaded as a zip however many they are, and the page says why if they are not', async () => {
      const names = Array.from({ length: 60 }, (_, index) => `${'ü'.repeat(115)}&=+ ${String(index).padStart(2, '0')}`);
      await rig().sftp('mkdir /inbox/numerous');
      const { page, takeErrors } = await rig().logIn('/inbox/numerous');
      for (const name of names) {
        const address = `${rig().platform.url}/2.0/files/inbox/numerous/${encodeURIComponent(name)}`;
        expect((await page.request.put(address, { data: name })).status()).toBe(201);
      }
      await page.reload();
      await page.getByLabel('Select all').check();
      await page.getByText('60 selected').last().waitFor();
      const saved = page.waitForEvent('download');
      await page.getByRole('button', { name: 'Download as zip' }).click();
      const files = await readZip(await (await saved).path());
      expect([...files.keys()].toSorted()).toEqual(names.toSorted());
      // A refusal after the question is said, too: the page is not left.
      await page.route('**/2.0/archive/**', (route) =>
        route.request().postData()?.includes('check=true') === true ? route.fulfill({ status: 204 }) : route.abort(),
      );
      await page.getByRole('button', { name: 'Download as zip' }).click();
      await page.getByRole('alert').getByText('The download has not started. Try again.').waitFor();
      await page.unroute('**/2.0/archive/**');
      await page.route('**/2.0/archive/**', (route) => route.abort());
      await page.getByRole('button', { name: 'Download as zip' }).click();
      await page.getByRole('alert').getByText('The server cannot be reached.').waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      expect(takeErrors()).toEqual([]);
    });

    it('are not renamed to a name that is taken, which the dialog says until the name is corrected', async () => {
      const { page, takeErrors } = await openFolder('corrected', ['one.txt', 'two.txt']);
      await select(page, 'one.txt');
      await page.getByRole('button', { name: 'Rename or move' }).click();
      const dialog = page.getByRole('dialog');
      const name = dialog.getByLabel('New name or path');
      for (let times = 0; times < 2; times += 1) {
        await name.fill('two.txt');
        await page.keyboard.press('Enter');
        await dialog.getByRole('alert').getByText('already').waitFor();
        await name.press('End');
        expect(await dialog.getByRole('alert').count()).toBe(1);
        await name.fill('three.txt');
        await dialog.getByRole('alert').waitFor({ state: 'detached' });
      }
      await page.keyboard.press('Enter');
      await page.getByRole('button', { name: 'three.txt' }).waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('say why they cannot be downloaded', async () => {
      const { page, takeErrors } = await openFolder('refused', ['gone.txt', 'kept.txt']);
      await page.getByRole('button', { name: 'gone.txt' }).click();
      const dialog = page.getByRole('dialog');
      await dialog.getByText('Download').first().waitFor();
      await rig().sftp('rm /inbox/refused/gone.txt');
      await dialog.getByText('Download', { exact: true }).click();
      await expect.poll(() => dialog.getByRole('alert').textContent()).toBe("File 'gone.txt' doesn't exist");
      await page.keyboard.press('Escape');
      await select(page, 'kept.txt');
      const saved = page.waitForEvent('download');
      await page.getByText('Download', { exact: true }).click();
      expect((await saved).suggestedFilename()).toBe('kept.txt');
      expect(takeErrors()).toEqual([]);
    });
  });
}
