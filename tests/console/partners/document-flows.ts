import type { Page } from 'playwright-core';
import { beforeAll, describe, expect, it } from 'vitest';
import { peakOfPage } from '../large/interrupted-upload.ts';
import { findAccessViolations } from '../open-browser.ts';
import { hostilePdf, pdfOfGroups, pdfOfInstructions, pdfOfPicture, pdfOfPictures, pdfOfZeros } from './made-files.ts';
import { preview, storeAndOpen } from './open-details.ts';
import type { PartnersRig } from './open-partners.ts';

/** What the pages of partners show of documents. */
export function testDocuments(rig: () => PartnersRig): void {
  describe('documents in a browser', () => {
    beforeAll(() => rig().sftp('mkdir /inbox/documents'));
    const openDetails = (page: Page, name: string, data: string | Buffer, type?: string) =>
      storeAndOpen(rig(), page, 'documents', { name, data, ...(type !== undefined && { type }) });

    it('draws a PDF document and runs no script of it', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox/documents');
      const requests: string[] = [];
      page.on('request', (request) => requests.push(request.url()));
      await openDetails(page, 'invoice.pdf', hostilePdf, 'application/pdf');
      await preview(page);
      await page.getByText('Page 1 of 2').waitFor();
      await page.getByText('Invoice of March').waitFor({ state: 'attached' });
      const ink = await page.evaluate<number>(`(() => {
        const canvas = document.querySelector('canvas');
        const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
        return data.filter((value, index) => index % 4 === 0 && value < 128).length;
      })()`);
      expect(ink).toBeGreaterThan(100);
      await page.getByRole('button', { name: 'Next page' }).click();
      await page.getByText('The second page').waitFor({ state: 'attached' });
      expect(await findAccessViolations(page)).toEqual([]);
      await openDetails(page, 'broken.pdf', '%PDF-1.7\nnothing', 'application/pdf');
      await preview(page);
      await page.getByText(/damaged or locked/u).waitFor();
      expect(
        requests.filter((address) => !address.startsWith(rig().platform.url) && !address.startsWith('blob:')),
      ).toEqual([]);
      expect(await page.evaluate('window.hasRun')).toBeUndefined();
      expect(takeErrors()).toEqual([]);
    });

    it.each(['PNG', 'TIFF'] as const)(
      'draws a large picture of a document whose rows have a %s predictor',
      async (kind) => {
        const { page, takeErrors } = await rig().logIn('/inbox/documents');
        await openDetails(page, `picture-${kind}.pdf`, pdfOfPicture(kind), 'application/pdf');
        await preview(page);
        await page.getByText('Page 1 of 1').waitFor();
        const middle = `(() => {
        const canvas = document.querySelector('canvas');
        return [...canvas.getContext('2d').getImageData(canvas.width / 2, canvas.height / 2, 1, 1).data];
      })()`;
        await expect.poll(() => page.evaluate(middle)).toEqual([255, 0, 0, 255]);
        expect(takeErrors()).toEqual([]);
      },
    );

    it.each(['Flate', 'JPEG'] as const)(
      'draws a page of many large %s pictures without those that are too large together, and says so',
      async (kind) => {
        const { page, takeErrors } = await rig().logIn('/inbox/documents');
        await openDetails(page, `pictures-${kind}.pdf`, pdfOfPictures(40, kind), 'application/pdf');
        await preview(page);
        await page.getByText('Some pictures of this page are not shown').waitFor();
        await page.getByText('The last line').waitFor({ state: 'attached' });
        expect(await peakOfPage(page)).toBeLessThan(1_800);
        // The last picture is small.
        const corner = `(() => {
          const canvas = document.querySelector('canvas');
          return [...canvas.getContext('2d').getImageData(1, 1, 1, 1).data];
        })()`;
        expect(await page.evaluate(corner)).toEqual([255, 0, 0, 255]);
        expect(await findAccessViolations(page)).toEqual([]);
        expect(takeErrors()).toEqual([]);
      },
    );

    it('gives up a page of layers without end', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox/documents');
      await openDetails(page, 'groups.pdf', pdfOfGroups(100), 'application/pdf');
      await preview(page);
      await page.getByText(/damaged or locked/u).waitFor();
      expect(await peakOfPage(page)).toBeLessThan(1_800);
      expect(takeErrors()).toEqual([]);
    });

    it('gives up documents and texts that are made to keep the browser busy', async () => {
      const { page, takeErrors } = await rig().logIn('/inbox/documents');
      await openDetails(page, 'marks.txt', `a${'\u0301'.repeat(130_000)}`);
      await preview(page);
      await page.locator('pre.preview').waitFor({ timeout: 20_000 });
      await openDetails(page, 'zeros.pdf', pdfOfZeros(1_500_000_000), 'application/pdf');
      const threads = page.workers().length;
      await preview(page);
      await expect.poll(() => page.workers().length).toBe(threads + 1);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.workers().length).toBe(threads);
      await openDetails(page, 'zeros-2.pdf', pdfOfZeros(500_000_000), 'application/pdf');
      await preview(page);
      await page.getByText(/damaged or locked/u).waitFor({ timeout: 40_000 });
      await expect.poll(() => page.workers().length).toBe(threads);
      // The beginning of a page that never ends is drawn.
      await openDetails(page, 'instructions.pdf', pdfOfInstructions(200_000_000), 'application/pdf');
      await preview(page);
      await page.getByText('Page 1 of 1').waitFor({ timeout: 40_000 });
      const isDrawn = `document.querySelector('canvas').getContext('2d').getImageData(1, 399, 1, 1).data[0] === 255 &&
        document.querySelector('canvas').getContext('2d').getImageData(1, 399, 1, 1).data[1] === 0`;
      await expect.poll(() => page.evaluate(isDrawn), { timeout: 40_000 }).toBe(true);
      // The instructions arrive little by little.
      await expect.poll(() => scriptMemory(page), { timeout: 40_000 }).toBeGreaterThan(50);
      expect(await peakOfPage(page)).toBeLessThan(1_200);
      await page.keyboard.press('Escape');
      await expect.poll(() => page.workers().length).toBe(threads);
      await expect.poll(() => scriptMemory(page)).toBeLessThan(25);
      expect(takeErrors()).toEqual([]);
    });
  });
}

/** What the scripts of a page keep in memory, in MiB. */
async function scriptMemory(page: Page): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  return usedSize / 1_024 ** 2;
}
