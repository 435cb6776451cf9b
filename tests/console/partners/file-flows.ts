import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../open-browser.ts';
import { findSpoiledPlaces } from '../page-checks.ts';
import { readZip } from '../read-zip.ts';
import { chooseFiles, fillLogin, type PartnersRig } from './open-partners.ts';

/** Partners upload, find, change and delete files. */
export function testFiles(rig: () => PartnersRig): void {
  describe("partners' files in a browser", () => {
    it('leads a browser from / to the login, says what is wrong with it, and then shows the folders', async () => {
      const { page, takeErrors } = await rig().browser.newPage();
      await page.goto(rig().platform.url);
      await page.waitForURL('**/ui/');
      await fillLogin(page, 'wrong');
      await expect.poll(() => page.getByRole('alert').textContent()).toBe('Invalid username or password');
      expect(await findAccessViolations(page)).toEqual([]);
      await fillLogin(page);
      await page.getByRole('button', { name: 'inbox' }).waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      expect(takeErrors()).toEqual([]);
    });

    it('uploads, shows, renames and deletes, and what it stores is what SFTP reads', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox');
      const content = randomBytes(300_000);
      await chooseFiles(page, await rig().writeTestFile('story.bin', content));
      await page.getByText('1 of 1 stored').waitFor();
      await page.getByLabel('Select story.bin').check();
      expect(await findAccessViolations(page)).toEqual([]);

      await page.getByRole('button', { name: 'Rename or move' }).click();
      expect(await findAccessViolations(page)).toEqual([]);
      await page.getByLabel('New name or path').fill('/inbox/renamed.bin');
      await page.getByRole('button', { name: 'Rename', exact: true }).click();
      await page.getByRole('button', { name: 'renamed.bin' }).waitFor();
      const copy = join(rig().folder, 'copy.bin');
      await rig().sftp(`get /inbox/renamed.bin ${copy}`);
      expect((await readFile(copy)).equals(content)).toBe(true);

      await page.getByLabel('Select renamed.bin').check();
      await page.getByText('1 selected').first().waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
      await page.getByRole('button', { name: 'renamed.bin' }).waitFor({ state: 'detached' });
      expect(takeErrors()).toEqual([]);
    });

    it('downloads a selection of files and folders as a zip with these and nothing else', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox');
      const contents = {
        'zip/one.bin': randomBytes(5_000),
        'zip/sub/ü.txt': Buffer.from('two'),
        'zip/left-out': Buffer.alloc(9),
      };
      await rig().sftp('mkdir /inbox/zip', 'mkdir /inbox/zip/sub');
      for (const [path, content] of Object.entries(contents)) {
        const local = await rig().writeTestFile('of-zip', content);
        await rig().sftp(`put ${local} /inbox/${path}`);
      }
      await page.goto(`${rig().platform.url}/ui/inbox/zip`);
      for (const name of ['one.bin', 'sub']) await page.getByLabel(`Select ${name}`, { exact: true }).check();
      const saved = page.waitForEvent('download');
      await page.getByText('Download as zip').click();
      const files = await readZip(await (await saved).path());
      expect([...files]).toEqual([
        ['one.bin', contents['zip/one.bin']],
        ['sub/ü.txt', contents['zip/sub/ü.txt']],
      ]);
      expect(takeErrors()).toEqual([]);
    });

    it('keeps folder, order and filter in the address, through reload and Back', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox');
      await chooseFiles(page, [await rig().writeTestFile('a.csv', 'a'), await rig().writeTestFile('b.txt', 'bb')]);
      await page.getByText('2 of 2 stored').waitFor();
      await page.getByRole('button', { name: 'Size' }).click();
      await page.waitForURL(/sort=size/u);
      await page.getByRole('searchbox').fill('*.csv');
      await page.waitForURL(/filter=/u);
      await page.reload();
      await page.getByRole('button', { name: 'a.csv' }).waitFor();
      expect(await page.getByRole('button', { name: 'b.txt' }).count()).toBe(0);
      await page.goBack();
      await page.getByRole('button', { name: 'b.txt' }).waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('shows folders before files, in every order and both directions, and in a search', async () => {
      const folder = '/inbox/mixed';
      const local = await rig().writeTestFile('of-mixed', 'x');
      await rig().sftp(
        ...['', '/b', '/zz', '/zz/b'].map((path) => `mkdir ${folder}${path}`),
        ...['a', 'c', 'zz/a'].map((path) => `put ${local} ${folder}/${path}`),
      );
      const { page, takeErrors } = await rig().logIn(folder);
      const shown = async () =>
        (await page.locator('[data-row] button.name').allInnerTexts()).map((name) => name.trim());
      const sortBy = (title: string) => page.locator('.grid-head').getByRole('button', { name: title }).click();
      await expect.poll(shown).toEqual(['b', 'zz', 'a', 'c']);
      await sortBy('Name');
      await expect.poll(shown).toEqual(['zz', 'b', 'c', 'a']);
      for (const title of ['Size', 'Stored']) {
        await sortBy(title);
        await expect.poll(shown).toEqual(['b', 'zz', 'a', 'c']);
        await sortBy(title);
        await expect.poll(shown).toEqual(['zz', 'b', 'c', 'a']);
      }
      await page.goto(`${rig().platform.url}/ui${folder}?filter=*&deep=true`);
      await expect
        .poll(() => page.locator('.results tbody button.name').allInnerTexts())
        .toEqual(['b', 'b', 'zz', 'a', 'a', 'c']);
      expect(takeErrors()).toEqual([]);
    });

    it('Back and a reload lead to the row where the user was', async () => {
      const folder = '/inbox/long';
      const folders = Array.from({ length: 60 }, (_, index) => `${folder}/${String(index).padStart(2, '0')}`);
      await rig().sftp(`mkdir ${folder}`, ...folders.map((path) => `mkdir ${path}`));
      const { page, takeErrors } = await rig().logIn(folder);
      const top = () => page.evaluate<number>(`document.querySelector('.grid-rows').scrollTop`);
      const focused = () => page.evaluate<string | null>(`document.activeElement.getAttribute('data-row')`);
      await page.locator('[data-row="0"]').focus();
      for (let row = 0; row < 41; row += 1) await page.keyboard.press('ArrowDown');
      await expect.poll(focused).toBe('41');
      const offset = await top();
      expect(offset).toBeGreaterThan(0);
      await page.reload();
      await expect.poll(focused).toBe('41');
      expect(Math.abs((await top()) - offset)).toBeLessThan(2);
      await page.keyboard.press('Enter');
      await page.waitForURL(/long\/41/u);
      await page.getByText('This folder is empty').waitFor();
      await page.goBack();
      await expect.poll(focused).toBe('41');
      expect(Math.abs((await top()) - offset)).toBeLessThan(2);
      await page.keyboard.press('ArrowDown');
      await expect.poll(focused).toBe('42');
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByText('You have logged out.').waitFor();
      expect(await page.evaluate(`sessionStorage.getItem('places')`)).toBe(null);
      expect(takeErrors()).toEqual([]);
    });

    it('keeps the order in a folder that is opened, and only one step of the history while a filter is typed', async () => {
      await rig().sftp('mkdir /inbox/ordered', 'mkdir /inbox/ordered/inner');
      const { page, takeErrors } = await rig().logIn('/inbox/ordered');
      await page.getByRole('button', { name: 'Size' }).click();
      await page.waitForURL(/sort=size/u);
      await page.getByRole('button', { name: 'inner' }).click();
      await page.waitForURL(/ordered\/inner\?sort=size/u);
      for (const filter of ['i', 'in', 'inv']) {
        await page.getByRole('searchbox').fill(filter);
        await page.waitForURL((url) => url.searchParams.get('filter') === filter);
      }
      await page.goBack();
      await page.waitForURL((url) => url.pathname === '/ui/inbox/ordered/inner' && !url.searchParams.has('filter'));
      await page.goBack();
      await page.waitForURL((url) => url.pathname === '/ui/inbox/ordered');
      await page.getByRole('button', { name: 'Log out' }).click();
      await page.getByText('You have logged out.').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('asks for the login again where the user is, and then continues the uploads that waited', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox');
      await page.context().clearCookies();
      await chooseFiles(page, await rig().writeTestFile('late.txt', 'late'));
      await page.getByText('Your session has ended').waitFor();
      await fillLogin(page);
      await page.getByText('1 of 1 stored').waitFor();
      expect(new URL(page.url()).pathname).toBe('/ui/inbox');
      expect(takeErrors()).toEqual([]);
    });

    it('keeps a failed upload in sight with its reason, and replaces the file when told to', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox');
      const file = await rig().writeTestFile('twice.txt', 'one');
      await chooseFiles(page, file);
      await page.getByText('1 of 1 stored').waitFor();
      await writeFile(file, 'two');
      await chooseFiles(page, file);
      await page.getByText('twice.txt exists already.').waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await page.getByRole('button', { name: 'Replace it' }).click();
      await page.getByText('2 of 2 stored').waitFor();
      const copy = join(rig().folder, 'twice.copy');
      await rig().sftp(`get /inbox/twice.txt ${copy}`);
      expect(await readFile(copy, 'utf8')).toBe('two');
      expect(takeErrors()).toEqual([]);
    });

    it('offers what the user may do, and nothing else', async () => {
      const { page, takeErrors } = await rig().logIn('/outbox');
      await rig().sftp('mkdir /inbox/offered');
      const { permissions } = (await (
        await page.request.get(`${rig().platform.url}/2.0/permissions/outbox`)
      ).json()) as {
        permissions: string[];
      };
      expect(permissions).not.toContain('upload');
      expect(await page.getByRole('button', { name: 'Upload files' }).count()).toBe(0);
      await page.goto(`${rig().platform.url}/ui/inbox`);
      await page.getByRole('button', { name: 'Upload files' }).waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('shows names as names, whatever they contain, and runs nothing of a file', async () => {
      const names = ['<img src=x onerror=alert(1)>.txt', 'a"b\'c&amp;.txt', '‮gpj.exe', ' blank .txt', 'q?#%41.txt'];
      await mkdir(join(rig().folder, 'hostile'), { recursive: true });
      const local = await rig().writeTestFile('hostile/content.html', '<script>document.title="run"</script>');
      await rig().sftp('mkdir /inbox/names');
      const { page, takeErrors } = await rig().logIn('/inbox/names');
      for (const name of names) {
        const address = `${rig().platform.url}/2.0/files/inbox/names/${encodeURIComponent(name)}`;
        const stored = await page.request.put(address, {
          data: await readFile(local),
          headers: { 'Content-Type': 'text/html' },
        });
        expect(stored.status(), name).toBe(201);
      }
      await page.reload();
      // A blank at the beginning is a mark, and so is a character that turns the direction.
      const marked = (name: string): string => name.replace(/^ /u, '␣').replace('\u202e', 'U+202E');
      for (const name of names) await page.getByText(marked(name), { exact: true }).first().waitFor();
      expect(await page.title()).toBe('/inbox/names · Waybill');
      expect(await findSpoiledPlaces(page)).toEqual([]);
      await page.getByLabel('Select [U+202E]gpj.exe', { exact: true }).check();
      await page.getByRole('button', { name: 'Delete', exact: true }).click();
      await page.getByRole('alertdialog').getByText('U+202Egpj.exe', { exact: true }).waitFor();
      await page.keyboard.press('Escape');
      await page.getByRole('button', { name: 'Details', exact: true }).click();
      await page.getByRole('dialog').getByText('/inbox/names/U+202Egpj.exe', { exact: true }).waitFor();
      await expect.poll(() => page.title()).toBe('Details of /inbox/names/[U+202E]gpj.exe · Waybill');
      expect(await findSpoiledPlaces(page)).toEqual([]);
      expect(takeErrors()).toEqual([]);
    });
  });
}
