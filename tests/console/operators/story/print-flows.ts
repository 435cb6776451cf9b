import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { fillAuditRecords } from '../../fill-lists.ts';
import type { WatchedPage } from '../../open-browser.ts';
import { printedColours, printPage, withoutBlanks } from '../../printed-text.ts';
import type { OperatorsRig } from '../open-operators.ts';

/** Pages of the console on paper, on a platform where acme has uploaded `/inbox/invoice-1.csv` over HTTP. */
export function testPrinting({
  open,
  openUpload,
  hash,
  rig,
}: {
  /** Opens a page below `/console` as an administrator. */
  readonly open: (address: string) => Promise<WatchedPage>;
  /** Opens the audit record of this upload. */
  readonly openUpload: (page: Page) => Promise<void>;
  /** The SHA-256 of what was uploaded. */
  readonly hash: string;
  readonly rig: () => OperatorsRig;
}): void {
  describe('on paper, the console', () => {
    const expectPrinted = async (page: Page, texts: readonly string[], absent: readonly string[]): Promise<string> => {
      const { text } = await printPage(page);
      for (const one of texts) expect(text).toContain(withoutBlanks(one));
      for (const one of ['Log out', 'Secrets', ...absent]) expect(text).not.toContain(withoutBlanks(one));
      return text;
    };

    it('has all of an audit record with what its proof was computed from, dark on white in the dark scheme, too', async () => {
      const { page, takeErrors } = await open('/audit');
      await openUpload(page);
      await page.getByText('Verified by this page').waitFor();
      const computed = await page.locator('details dd').allTextContents();
      expect(computed.length).toBeGreaterThan(4);
      await expectPrinted(page, ['Verified by this page', hash, '/inbox/invoice-1.csv', ...computed], ['same: User']);
      expect(await printedColours(page)).toEqual({ text: 'rgb(22, 25, 31)', ground: 'rgb(255, 255, 255)' });
      expect(takeErrors()).toEqual([]);
    });

    it("has a file's story, and a job with the inputs and logs of its steps, folded or not", async () => {
      const { page, takeErrors } = await open(`/files?name=invoice-1.csv&hash=${hash}`);
      await page.getByRole('link', { name: '/inbox/invoice-1.csv', exact: true }).click();
      // The parts of the page are read one by one.
      for (const part of ['invoices / compress-on-arrival', hash, 'Server upload file /inbox/invoice-1.csv'])
        await page.getByText(part).first().waitFor();
      await expectPrinted(page, ['The story of /inbox/invoice-1.csv', 'Upload acme', hash], ['Verify']);
      await page.goto(`${rig().platform.url}/console/jobs`);
      await page.getByRole('row').nth(1).getByRole('link').first().click();
      await page.getByRole('heading', { name: 'Steps', exact: true }).waitFor();
      const details = page.locator('.step details');
      await details.first().waitFor({ state: 'attached' });
      const folded = await details.first().locator('.values').allTextContents();
      expect(folded.length).toBeGreaterThan(0);
      const changes = page.getByRole('table', { name: 'History' }).getByRole('row');
      await changes.nth(1).waitFor();
      await expectPrinted(page, [...folded, ...(await changes.allInnerTexts())], ['Resubmit']);
      expect(takeErrors()).toEqual([]);
    });

    it('has the rows of a list that were read, whole, and says which, without filters that are not set', async () => {
      await fillAuditRecords(rig().platform, 250);
      const { page, takeErrors } = await open('/audit?entityName=/inbox/*');
      await page.getByRole('row').nth(10).waitFor();
      const drawn = await page.getByRole('row').count();
      const text = await expectPrinted(
        page,
        ['Rows 1 to 200.', 'FilesetId 250', 'FilesetId 60'],
        ['NDJSON', 'Clear all filters', 'SHA-256'],
      );
      expect(text.split('AUD0041A').length - 1).toBeGreaterThanOrEqual(199);
      // The screen is as before.
      await expect.poll(() => page.getByRole('row').count()).toBe(drawn);
      expect(takeErrors()).toEqual([]);
    });
  });
}
