import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../open-browser.ts';
import type { LanguagesRig } from './open-languages.ts';
import { testOperatorTexts } from './operator-texts.ts';
import { testPartnerTexts } from './partner-texts.ts';

/** No text of a page is left in English where the language is another one. */
export function testLanguages(rig: () => LanguagesRig): void {
  describe('a language that a browser prefers', () => {
    testPartnerTexts(rig);
    testOperatorTexts(rig);

    it('gives way to the one that a user chooses, which the browser keeps', async () => {
      const { page, takeErrors } = await rig().newPage({ locale: 'fr-FR' });
      await page.goto(`${rig().platform.url}/ui/`);
      await page.getByRole('heading', { name: 'Log in to Waybill', exact: true }).waitFor();
      expect(await findAccessViolations(page)).toEqual([]);
      await page.getByLabel('Language').selectOption('de');
      await page.getByRole('heading', { name: '⟦Log in to Waybill⟧' }).waitFor();
      await page.reload();
      await page.getByRole('heading', { name: '⟦Log in to Waybill⟧' }).waitFor();
      await page.goto(`${rig().platform.url}/console/`);
      await page.getByLabel('⟦Language⟧').selectOption('en');
      await page.getByRole('button', { name: 'Log in', exact: true }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe('en');
      expect(takeErrors()).toEqual([]);
    });
  });
}
