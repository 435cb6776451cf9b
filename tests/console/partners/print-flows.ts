import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { printedColours, printPage, withoutBlanks } from '../printed-text.ts';
import { storeAndOpen } from './open-details.ts';
import type { PartnersRig } from './open-partners.ts';

/** Pages of partners on paper. */
export function testPrinting(rig: () => PartnersRig): void {
  describe('on paper, the pages of partners', () => {
    it('have a receipt and its checks alone, and the files of a folder, dark on white', async () => {
      await rig().sftp('mkdir /inbox/paper');
      const { page, takeErrors } = await rig().logIn('/inbox/paper');
      for (let index = 100; index < 150; index += 1)
        await page.request.put(`${rig().platform.url}/2.0/files/inbox/paper/sheet-${index}.txt`, { data: 'x' });
      await storeAndOpen(rig(), page, 'paper', { name: 'proof.txt', data: 'on paper' });
      await page.getByRole('tab', { name: 'Receipt' }).click();
      await page.getByText('✓ Verified: the signature is made with this key').waitFor();
      const facts = await page.getByRole('dialog').locator('dd').allTextContents();
      const receipt = await printPage(page);
      expect(facts).toContain(createHash('sha256').update('on paper').digest('hex'));
      for (const fact of facts) expect(receipt.text).toContain(withoutBlanks(fact));
      for (const absent of ['sheet-100.txt', 'Logout', 'Preview', 'Download', 'Comparewithafile'])
        expect(receipt.text).not.toContain(absent);
      expect(receipt.sheets).toBe(1);
      await page.goto(`${rig().platform.url}/ui/inbox/paper`);
      await page.getByRole('button', { name: 'sheet-100.txt' }).waitFor();
      const folder = await printPage(page);
      for (let index = 100; index < 150; index += 1) expect(folder.text).toContain(`sheet-${index}.txt`);
      for (const absent of ['Logout', 'Uploadfiles', 'Rows']) expect(folder.text).not.toContain(absent);
      expect(await printedColours(page)).toEqual({ text: 'rgb(22, 25, 31)', ground: 'rgb(255, 255, 255)' });
      expect(takeErrors()).toEqual([]);
    });
  });
}
