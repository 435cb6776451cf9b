import { createHash } from 'node:crypto';
import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { findAccessViolations, keepScreenshot } from '../open-browser.ts';
import { gifOfFrame, onePixelPng, pngOfSize } from './made-files.ts';
import { preview, storeAndOpen } from './open-details.ts';
import type { PartnersRig } from './open-partners.ts';

/** What the pages of partners show of a file. */
export function testDetails(rig: () => PartnersRig): void {
  describe('the details of a file in a browser', () => {
    beforeAll(() => rig().sftp('mkdir /inbox/details'));
    const openDetails = (page: Page, name: string, data: string | Buffer, type?: string) =>
      storeAndOpen(rig(), page, 'details', { name, data, ...(type !== undefined && { type }) });

    it('shows text as text and CSV as a table', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox/details');
      await openDetails(page, 'notes.txt', 'first\nsecond ✓');
      const downloads: string[] = [];
      page.on('request', (request) => request.method() === 'GET' && downloads.push(new URL(request.url()).pathname));
      await page.getByRole('tab', { name: 'Preview' }).click();
      await page.getByText('A file that is shown completely counts as downloaded.').waitFor();
      // Nothing has been downloaded before the user says so.
      expect(downloads).not.toContain('/2.0/files/inbox/details/notes.txt');
      await preview(page);
      await expect.poll(() => page.locator('pre.preview').textContent()).toBe('first\nsecond ✓');
      expect(await findAccessViolations(page)).toEqual([]);
      const table = 'id;name;amount\n1;"a; b";9,50\n2;<b>bold</b>;12,00\n3;Straße;7,25\n';
      await openDetails(page, 'table.csv', table, 'application/octet-stream');
      await preview(page);
      await page.getByRole('dialog').getByRole('columnheader', { name: 'name' }).waitFor();
      await page.getByRole('cell', { name: 'a; b' }).waitFor();
      await page.getByRole('cell', { name: '<b>bold</b>' }).waitFor();
      await keepScreenshot(page, 'partners-preview');
      await openDetails(page, 'long.log', 'x'.repeat(300_000));
      await preview(page);
      await page.getByText('Only the first 256 KiB are shown.').waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      expect(takeErrors()).toEqual([]);
    });

    it('shows pictures, but neither huge nor damaged ones', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox/details');
      await openDetails(page, 'dot.bin', onePixelPng, 'text/html');
      await preview(page);
      await page.getByRole('img', { name: 'Content of dot.bin' }).waitFor();
      await expect.poll(() => page.evaluate<number>("document.querySelector('img.preview')?.naturalWidth")).toBe(1);
      await openDetails(page, 'bomb.png', pngOfSize(60_000, 60_000), 'image/png');
      await preview(page);
      await page.getByText(/Files of this kind are shown up to/u).waitFor();
      await openDetails(page, 'frame.gif', gifOfFrame(20_000, 20_000), 'image/gif');
      await preview(page);
      await page.getByText(/Files of this kind are shown up to/u).waitFor();
      await openDetails(page, 'damaged.png', pngOfSize(10, 10), 'image/png');
      await preview(page);
      await page.getByText(/damaged or locked/u).waitFor();
      await openDetails(page, 'program.exe', Buffer.from('MZ\0\0\0'), 'image/png');
      await preview(page);
      await page.getByText('This kind of file cannot be shown.').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it.each([
      ['page.html', 'text/html', '<!doctype html><title>run</title><script>window.hasRun = true</script>'],
      ['drawing.svg', 'image/svg+xml', '<svg xmlns="http://www.w3.org/2000/svg" onload="window.hasRun = true"/>'],
      ['photo.png', 'image/png', '<svg xmlns="http://www.w3.org/2000/svg" onload="window.hasRun = true"/>'],
      [
        'sheet.csv',
        'text/csv',
        '<img src=x onerror="window.hasRun = true">,=cmd()\n<script>window.hasRun = true</script>,1',
      ],
      ['code.js', 'text/javascript', 'window.hasRun = true'],
    ])('never runs %s', async (name, type, content) => {
      const { page, takeErrors } = await rig().logIn('/inbox/details');
      await openDetails(page, name, content, type);
      await preview(page);
      const shown = page.locator('.preview');
      await expect.poll(async () => (await shown.textContent())?.replaceAll(/\s/gu, '')).toContain('hasRun=true');
      expect(await page.locator('.preview :is(script, svg, img, iframe)').count()).toBe(0);
      // Nor when the browser is sent to the file itself.
      const opened = await page.context().newPage();
      await opened.goto(`${rig().platform.url}/2.0/files/inbox/details/${name}`).catch(() => undefined);
      expect(await opened.evaluate('window.hasRun')).toBeUndefined();
      expect(await page.evaluate('window.hasRun')).toBeUndefined();
      expect(takeErrors()).toEqual([]);
    });

    it('verifies a receipt, compares it with a local file, and says so when it is forged', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox/details');
      await openDetails(page, 'proof.txt', 'proof');
      await page.getByRole('tab', { name: 'Receipt' }).click();
      await page.getByText('✓ Verified: the signature is made with this key').waitFor();
      await page.getByText('✓ Verified: the content that is stored now has the SHA-256').waitFor();
      expect(await page.getByText('✗').count()).toBe(0);
      await keepScreenshot(page, 'partners-receipt');
      expect(await findAccessViolations(page)).toEqual([]);
      await page
        .getByLabel('Compare with a file of yours')
        .setInputFiles(await rig().writeTestFile('same.txt', 'proof'));
      await page.getByText('✓ same.txt is the file of the receipt.').waitFor();
      await page
        .getByLabel('Compare with a file of yours')
        .setInputFiles(await rig().writeTestFile('other.txt', 'other'));
      await page.getByText('✗ other.txt is another file').waitFor();
      await page.route('**/2.0/receipts/*', async (route) => {
        const response = await route.fetch();
        const receipt = (await response.json()) as { jws: string };
        const [header = '', payload = '', signature = ''] = receipt.jws.split('.');
        const forged = { ...(JSON.parse(Buffer.from(payload, 'base64url').toString()) as object), size: 1 };
        const jws = [header, Buffer.from(JSON.stringify(forged)).toString('base64url'), signature].join('.');
        await route.fulfill({ response, json: { ...receipt, jws } });
      });
      await page.reload();
      await page.getByRole('tab', { name: 'Receipt' }).click();
      await page.getByText('Do not rely on this receipt').waitFor();
      await rig().sftp(`put ${await rig().writeTestFile('over-sftp.txt', 'x')} /inbox/details/over-sftp.txt`);
      await page.unroute('**/2.0/receipts/*');
      await page.goto(`${rig().platform.url}/ui/inbox/details?details=/inbox/details/over-sftp.txt`);
      await page.getByRole('tab', { name: 'Receipt' }).click();
      await page.getByText('There is no receipt for you').waitFor();
      expect(takeErrors()).toEqual([]);
    });

    it('shows hash, size, times and room, and changes metadata as far as the user may', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox/details');
      await openDetails(page, 'facts.txt', 'facts');
      const dialog = page.getByRole('dialog');
      await dialog.getByText(createHash('sha256').update('facts').digest('hex')).waitFor();
      await dialog
        .getByText(/UTC$|GMT/u)
        .first()
        .waitFor();
      await dialog.getByText('Files are kept until they are deleted.').waitFor();
      await dialog.getByRole('button', { name: 'Add metadata' }).click();
      await dialog.getByLabel('Key').fill('SPFB_SP2_FILE_SYS_MD.SENDER');
      await dialog.getByLabel('Value').fill('me');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByRole('alert').waitFor();
      await dialog.getByLabel('Key').fill('BUSINESS_UNIT');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByRole('button', { name: 'Change: BUSINESS_UNIT' }).click();
      expect(await findAccessViolations(page)).toEqual([]);
      await dialog.getByLabel('BUSINESS_UNIT', { exact: true }).fill('Sales <b>');
      await dialog.getByRole('button', { name: 'Save' }).click();
      await dialog.getByRole('cell', { name: 'Sales <b>' }).waitFor();
      expect(await dialog.getByRole('button', { name: /Change: .*SENDER/u }).count()).toBe(0);
      const read = await page.request.get(`${rig().platform.url}/2.0/metadata/inbox/details/facts.txt`);
      expect(await read.json()).toMatchObject({ metadata: { BUSINESS_UNIT: 'Sales <b>' } });
      await dialog.getByRole('button', { name: 'Close' }).click();
      await dialog.waitFor({ state: 'detached' });
      await page.getByLabel('Select facts.txt').check();
      await page.getByRole('button', { name: 'Rename or move' }).waitFor();
      await keepScreenshot(page, 'partners-files');
      await page.getByLabel('Select facts.txt').uncheck();
      await page.getByRole('button', { name: 'Details' }).click();
      await page.getByRole('dialog').getByText('list, download, upload, delete, rename, create folders').waitFor();
      await page
        .getByRole('dialog')
        .getByText(/ left$/u)
        .first()
        .waitFor();
      expect(takeErrors()).toEqual([]);
    });
  });
}
