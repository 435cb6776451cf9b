import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findAccessViolations } from './open-browser.ts';
import { chooseFiles, type ConsoleRig, fillLogin, openConsole } from './open-console.ts';

describe("partners' files in a browser", () => {
  let rig: ConsoleRig;
  beforeAll(async () => {
    rig = await openConsole();
  });
  afterAll(() => rig[Symbol.asyncDispose]());

  it('leads a browser from / to the login, says what is wrong with it, and then shows the folders', async () => {
    const { page, takeErrors } = await rig.browser.newPage();
    await page.goto(rig.platform.url);
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
    const { page, takeErrors } = await rig.logIn('/inbox');
    const content = randomBytes(300_000);
    await chooseFiles(page, await rig.writeTestFile('story.bin', content));
    await page.getByText('1 of 1 stored').waitFor();
    await page.getByLabel('Select story.bin').check();
    expect(await findAccessViolations(page)).toEqual([]);

    await page.getByRole('button', { name: 'Rename or move' }).click();
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByLabel('New path').fill('/inbox/renamed.bin');
    await page.getByRole('button', { name: 'Rename', exact: true }).click();
    await page.getByRole('button', { name: 'renamed.bin' }).waitFor();
    const copy = join(rig.folder, 'copy.bin');
    await rig.sftp(`get /inbox/renamed.bin ${copy}`);
    expect((await readFile(copy)).equals(content)).toBe(true);

    await page.getByLabel('Select renamed.bin').check();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'renamed.bin' }).waitFor({ state: 'detached' });
    expect(takeErrors()).toEqual([]);
  });

  it('keeps folder, order and filter in the address, through reload and Back', async () => {
    const { page, takeErrors } = await rig.logIn('/inbox');
    await chooseFiles(page, [await rig.writeTestFile('a.csv', 'a'), await rig.writeTestFile('b.txt', 'bb')]);
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

  it('asks for the login again where the user is, and then continues the uploads that waited', async () => {
    const { page, takeErrors } = await rig.logIn('/inbox');
    await page.context().clearCookies();
    await chooseFiles(page, await rig.writeTestFile('late.txt', 'late'));
    await page.getByText('Your session has ended').waitFor();
    await fillLogin(page);
    await page.getByText('1 of 1 stored').waitFor();
    expect(new URL(page.url()).pathname).toBe('/ui/inbox');
    expect(takeErrors()).toEqual([]);
  });

  it('keeps a failed upload in sight with its reason, and replaces the file when told to', async () => {
    const { page, takeErrors } = await rig.logIn('/inbox');
    const file = await rig.writeTestFile('twice.txt', 'one');
    await chooseFiles(page, file);
    await page.getByText('1 of 1 stored').waitFor();
    await writeFile(file, 'two');
    await chooseFiles(page, file);
    await page.getByText('twice.txt exists already.').waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByRole('button', { name: 'Replace it' }).click();
    await page.getByText('2 of 2 stored').waitFor();
    const copy = join(rig.folder, 'twice.copy');
    await rig.sftp(`get /inbox/twice.txt ${copy}`);
    expect(await readFile(copy, 'utf8')).toBe('two');
    expect(takeErrors()).toEqual([]);
  });

  it('offers what the user may do, and nothing else', async () => {
    const { page, takeErrors } = await rig.logIn('/outbox');
    await rig.sftp('mkdir /inbox/offered');
    const { permissions } = (await (await page.request.get(`${rig.platform.url}/2.0/permissions/outbox`)).json()) as {
      permissions: string[];
    };
    expect(permissions).not.toContain('upload');
    expect(await page.getByRole('button', { name: 'Upload files' }).count()).toBe(0);
    await page.goto(`${rig.platform.url}/ui/inbox`);
    await page.getByRole('button', { name: 'Upload files' }).waitFor();
    expect(takeErrors()).toEqual([]);
  });

  it('shows names as names, whatever they contain, and runs nothing of a file', async () => {
    const names = ['<img src=x onerror=alert(1)>.txt', 'a"b\'c&amp;.txt', '‮gpj.exe', ' blank .txt', 'q?#%41.txt'];
    await mkdir(join(rig.folder, 'hostile'), { recursive: true });
    const local = await rig.writeTestFile('hostile/content.html', '<script>document.title="run"</script>');
    const { page, takeErrors } = await rig.logIn('/inbox');
    for (const name of names) {
      const address = `${rig.platform.url}/2.0/files/inbox/${encodeURIComponent(name)}`;
      const stored = await page.request.put(address, {
        data: await readFile(local),
        headers: { 'Content-Type': 'text/html' },
      });
      expect(stored.status(), name).toBe(201);
    }
    await page.reload();
    for (const name of names) await page.getByText(name, { exact: true }).first().waitFor();
    expect(await page.title()).toBe('Files · Waybill');
    expect(takeErrors()).toEqual([]);
  });

  const openAccount = async (password: string) => {
    const watched = await rig.browser.newPage();
    await watched.page.goto(`${rig.platform.url}/ui/inbox`);
    await fillLogin(watched.page, password, 'tom');
    await watched.page.getByRole('button', { name: 'Account' }).click();
    return watched;
  };

  it('shows the SSH keys of the user, says why one is refused, adds one, and deletes it', async () => {
    const { page, takeErrors } = await openAccount('umbrella-demo');
    await page.getByText('You have no SSH key.').waitFor();
    const key = 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIOMqqnkVzrm0SdG6UOoqKLsabgH5C9okWi0dh2l9GKJl';
    await page.getByLabel('Public key').fill('no key');
    await page.getByRole('button', { name: 'Add a key' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Public key').fill(`${key} <b>laptop</b>`);
    await page.getByRole('button', { name: 'Add a key' }).click();
    await page.getByRole('button', { name: 'Delete: <b>laptop</b>' }).click();
    await page.getByRole('alertdialog').getByText('SHA256:').waitFor();
    expect(await findAccessViolations(page)).toEqual([]);
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete: <b>laptop</b>' }).waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('button', { name: 'Back to the files' }).click();
    await page.getByRole('grid').waitFor();
    expect(new URL(page.url()).pathname).toBe('/ui/inbox');
    expect(takeErrors()).toEqual([]);
  });

  it('shows the open sessions, ends another one, and lists the transfers', async () => {
    const other = await openAccount('umbrella-demo');
    const { page, takeErrors } = await openAccount('umbrella-demo');
    await page.getByText('HTTP (this session)').waitFor();
    await page.getByText('You have transferred no file yet.').waitFor();
    await page.getByRole('button', { name: 'End session: HTTP' }).first().click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'End session' }).click();
    await expect.poll(() => page.getByRole('alertdialog').count()).toBe(0);
    await page.getByRole('button', { name: 'Back to the files' }).click();
    await chooseFiles(page, await rig.writeTestFile('mine.txt', 'of tom'));
    await page.getByText('1 of 1 stored').waitFor();
    await page.getByRole('button', { name: 'Account' }).click();
    const shown = async (): Promise<string> => {
      await page.reload();
      await page.getByRole('heading', { name: 'Your transfers' }).waitFor();
      await page.getByText('Loading…').first().waitFor({ state: 'detached' });
      return await page.getByRole('main').innerText();
    };
    await expect.poll(shown).toContain('mine.txt');
    expect(await page.getByRole('row').nth(1).innerText()).toMatch(/Upload\s.*mine\.txt\s+6 bytes/u);
    expect(await findAccessViolations(page)).toEqual([]);
    expect(takeErrors()).toEqual([]);
    await other.page.reload();
    await other.page.getByRole('button', { name: 'Log in' }).waitFor();
  });

  it('changes the password, says why one is refused, and asks for the login again', async () => {
    const { page, takeErrors } = await openAccount('umbrella-demo');
    const change = async (present: string, next: string, repeated = next): Promise<void> => {
      await page.getByLabel('Present password').fill(present);
      await page.getByLabel('New password', { exact: true }).fill(next);
      await page.getByLabel('New password, again').fill(repeated);
      await page.getByRole('button', { name: 'Change the password' }).click();
    };
    await change('umbrella-demo', 'correct horse battery', 'another');
    await page.getByText('The two new passwords differ.').waitFor();
    await change('umbrella-demo', 'short');
    await page.getByText('The new password is not allowed').waitFor();
    await change('umbrella-demo', 'correct horse battery');
    await page.getByText('The password has been changed. Log in with the new one.').waitFor();
    await fillLogin(page, 'correct horse battery', 'tom');
    await page.getByText('SSH keys').first().waitFor();
    expect(takeErrors()).toEqual([]);
  });
});
