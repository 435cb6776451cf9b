import { expect, it } from 'vitest';
import { findAccessViolations } from '../open-browser.ts';
import { fillLogin, type PartnersRig } from './open-partners.ts';

/** Folders of which a user sees names and may add files, and may read none. */
export function testDropBoxes(rig: () => PartnersRig): void {
  it('a file of a drop box shows its size, its time and the receipt of an own upload, and nothing is asked for that is refused', async () => {
    const { platform, browser } = rig();
    const { page } = await browser.newPage();
    await page.goto(`${platform.url}/ui/drop`);
    await fillLogin(page, 'umbrella-demo', 'tim');
    await page.getByRole('button', { name: 'Upload files' }).waitFor();
    const refused: string[] = [];
    page.on('response', (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    const stored = await page.request.put(`${platform.url}/2.0/files/drop/a*b.txt`, { data: 'twelve bytes' });
    expect(stored.status()).toBe(201);
    await page.getByRole('button', { name: 'a*b.txt' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByText('You may not read files here.', { exact: false }).waitFor();
    await dialog.getByText('12 bytes', { exact: true }).first().waitFor();
    await dialog.getByText('/drop/a*b.txt', { exact: true }).first().waitFor();
    await dialog.getByText('The signature is valid', { exact: false }).or(dialog.locator('.checks')).first().waitFor();
    expect(await page.title()).toBe('Details of /drop/a*b.txt · Waybill');
    expect(await findAccessViolations(page)).toEqual([]);
    expect(refused).toEqual([]);
  });

  it('a folder that does not exist offers no upload, and a new folder needs a name', async () => {
    const { page } = await rig().logIn('/inbox');
    await page.getByRole('button', { name: 'New folder' }).click();
    for (const name of ['..', '../x']) {
      await page.getByLabel('Name of the folder').fill(name);
      await page.keyboard.press('Enter');
      await page.getByText('A folder has a name').waitFor();
    }
    await page.keyboard.press('Escape');
    await page.goto(`${rig().platform.url}/ui/inbox/nowhere`);
    await page.getByRole('alert').first().waitFor();
    await page.getByRole('button', { name: 'New folder' }).waitFor({ state: 'detached' });
    expect(await page.getByText('Upload files').count()).toBe(0);
  });
}
