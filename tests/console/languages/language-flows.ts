import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { findAccessViolations } from '../open-browser.ts';
import { findUntranslated } from './find-untranslated.ts';
import type { LanguagesRig } from './open-languages.ts';
import { watchSentData } from './sent-data.ts';

/** Pages of the console that need nothing in their addresses. */
const operatorPages = [
  '/',
  '/access',
  '/account',
  '/approvals',
  '/audit',
  '/audit-integrity',
  '/configuration',
  '/configuration/actors',
  '/configuration/connection-contracts',
  '/configuration/roles',
  '/configuration/actors/acme',
  '/configuration-document',
  '/configuration-drift',
  '/expiries',
  '/files?by=user&value=acme',
  '/jobs',
  '/jobs/1',
  '/new-partner',
  '/partners/acme',
  '/secrets',
  '/webhooks',
  '/no-such-page',
];

/** Names of the demo, what the library of components says in German, and terms of the interfaces in capitals. */
const names = [
  // A client in short, which the platform has sent whole.
  /Chrome \d+, Linux/gu,
  /\b(?:acme|admin|invoices|nope|English)\b/gu,
  /^Schließen$/gu,
  /\b[\da-f]{64}\b/gu,
  /\/(?:in|out)box/gu,
  /\b[A-Z][A-Z\d]{2,}(?:[_ ][A-Z]{2,})*\b/gu,
];

/** No text of a page is left in English where the language is another one. */
export function testLanguages(rig: () => LanguagesRig): void {
  describe('a language that a browser prefers', () => {
    const logIn = async (page: Page, address: string, userName: string, password: string): Promise<void> => {
      await page.goto(`${rig().platform.url}${address}`);
      await page.getByLabel('⟦User name⟧').fill(userName);
      await page.getByLabel('⟦Password⟧').fill(password);
      await page.getByRole('button', { name: '⟦Log in⟧', exact: true }).click();
      await page.getByText(`⟦Logged in as ${userName}⟧`).waitFor();
    };
    const settle = async (page: Page): Promise<void> => {
      await page.locator('main').first().waitFor();
      await page.getByText('⟦Loading…⟧').first().waitFor({ state: 'detached' });
      await page.waitForTimeout(1_500);
    };

    it('is that of every text of the partners’ pages, with its numbers, times and plural forms', async () => {
      const { page, takeErrors } = await rig().newPage({ locale: 'de-AT', timezoneId: 'UTC' });
      const data = watchSentData(page);
      const left = async () => findUntranslated(page, [...(await data()), ...names]);
      await page.goto(`${rig().platform.url}/ui/`);
      await page.getByRole('heading', { name: '⟦Log in to Waybill⟧' }).waitFor();
      expect(await page.locator('html').getAttribute('lang')).toBe('de');
      expect(await left()).toEqual([]);
      await page.getByLabel('⟦User name⟧').fill('acme');
      await page.getByLabel('⟦Password⟧').fill('wrong');
      await page.getByRole('button', { name: '⟦Log in⟧', exact: true }).click();
      await page.getByRole('alert').getByText('⟦Invalid username or password⟧').waitFor();
      expect(await left()).toEqual([]);

      await logIn(page, '/ui/', 'acme', 'acme-demo');
      for (const name of ['a.csv', 'b.csv'])
        expect(
          (
            await page.request.put(`${rig().platform.url}/2.0/files/inbox/${name}`, { data: 'x'.repeat(1_500) })
          ).status(),
        ).toBe(201);
      await page.goto(`${rig().platform.url}/ui/inbox`);
      await page.getByRole('button', { name: 'a.csv' }).waitFor();
      await page.getByText('⟦1,5 ⟦KiB⟧⟧').or(page.getByText('1,5 ⟦KiB⟧')).first().waitFor();
      expect(await left()).toEqual([]);
      await page.getByLabel('⟦Select a.csv⟧').check();
      await page.getByText('⟦1 selected⟧').first().waitFor();
      await page.getByLabel('⟦Select b.csv⟧').check();
      await page.getByText('⟦2 selected⟧').first().waitFor();
      expect(await left()).toEqual([]);
      for (const button of ['⟦Move⟧', '⟦Delete⟧', '⟦New folder⟧']) {
        await page.getByRole('button', { name: button, exact: true }).click();
        await page.getByRole('dialog').or(page.getByRole('alertdialog')).waitFor();
        await settle(page);
        expect(await left(), button).toEqual([]);
        await page.keyboard.press('Escape');
      }
      for (const address of [
        '/inbox?details=/inbox/a.csv',
        '/inbox?details=/inbox/',
        '/?filter=a&deep=true',
        '/?page=account',
        '/nope',
      ]) {
        await page.goto(`${rig().platform.url}/ui${address}`);
        await settle(page);
        expect(await left(), address).toEqual([]);
      }
      expect(takeErrors()).toEqual([]);
    });

    it('is that of every text of the operators’ console', async () => {
      const { page, takeErrors } = await rig().newPage({ locale: 'de-DE', timezoneId: 'UTC' });
      const data = watchSentData(page);
      const left = async () => findUntranslated(page, [...(await data()), ...names]);
      await page.goto(`${rig().platform.url}/console/`);
      await page.getByLabel('⟦User name⟧').waitFor();
      expect(await left()).toEqual([]);
      await logIn(page, '/console/', 'admin', 'admin-demo');
      for (const address of operatorPages) {
        await page.goto(`${rig().platform.url}/console${address}`);
        await settle(page);
        expect.soft(await left(), address).toEqual([]);
      }
      expect(takeErrors()).toEqual([]);
    });

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
