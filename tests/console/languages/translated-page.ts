import type { Locator, Page } from 'playwright-core';
import { expect } from 'vitest';
import { findUntranslated, readShownTexts } from './find-untranslated.ts';
import { watchSentData } from './sent-data.ts';

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

/** A page whose texts have to be in the brackets of the translation. */
export interface TranslatedPage {
  readonly page: Page;
  /** Shows what lies below the application's address. */
  open(address: string): Promise<void>;
  /** Notes what is shown in another language, and goes on. */
  look(what: string): Promise<void>;
  /** Presses a button, notes what is shown then in another language, and goes on. */
  press(button: string): Promise<void>;
  /**
   * Presses each button of the content that was not pressed before in this part of the application, and looks at what comes then.
   * Dialogs are closed again.
   */
  pressAll(address: string): Promise<void>;
}

/** Watches the texts of a page of an application; `data` are further names that may be shown. */
export function watchTranslated(page: Page, url: string, data: readonly RegExp[] = []): TranslatedPage {
  const sent = watchSentData(page);
  page.setDefaultTimeout(15_000);
  const pressed = new Set<string>();
  const open = async (address: string): Promise<void> => {
    await page.goto(`${url}${address}`);
    await page.locator('main:not(.starting)').first().waitFor();
  };
  const look = async (what: string): Promise<void> => {
    await page.evaluate(`document.querySelectorAll('details').forEach((each) => each.setAttribute('open', ''))`);
    await settle(page);
    // In this order: what comes meanwhile is data that is not shown yet, instead of shown and not known.
    const texts = await readShownTexts(page);
    expect.soft(findUntranslated(texts, [...(await sent()), ...data, ...names]), what).toEqual([]);
  };
  return {
    page,
    open,
    look,
    async press(button) {
      await page.getByRole('button', { name: button, exact: true }).first().click();
      await look(button);
    },
    async pressAll(address) {
      await open(address);
      await look(address);
      for (let next = await nextButton(page, address, pressed); next !== undefined;) {
        await next.button.click();
        await look(`${address}, ${next.name}`);
        if (!(await closeDialog(page, `${url}${address}`))) {
          await open(address);
          await settle(page);
        }
        next = await nextButton(page, address, pressed);
      }
    },
  };
}

const dialogs = '[role=dialog], [role=alertdialog]';

/** What can be used: a dialog, if there is one. */
async function contentOf(page: Page): Promise<Locator> {
  return (await page.locator(dialogs).count()) > 0 ? page.locator(dialogs).last() : page.getByRole('main');
}

/** Closes the dialog that a button has opened. False if there is none, or the page is another one by now. */
async function closeDialog(page: Page, address: string): Promise<boolean> {
  const open = page.locator(dialogs);
  if ((await open.count()) !== 1 || page.url() !== address || address.includes('details=')) return false;
  await page.keyboard.press('Escape');
  await page.waitForTimeout(200);
  return (await open.count()) === 0;
}

/** A button that was not pressed yet in this part of the application, and counts as pressed from now on. */
async function nextButton(page: Page, address: string, pressed: Set<string>) {
  const [, part = ''] = address.split(/[/?]/u);
  const content = await contentOf(page);
  const buttons = content.getByRole('button', { disabled: false }).or(content.getByRole('tab'));
  for (const button of await buttons.elementHandles()) {
    const name = (await button.getAttribute('aria-label')) ?? (await button.textContent()) ?? '';
    // The rows of a list have the same buttons.
    const key = `${part} ${name.replaceAll(/[\d.,:]+/gu, '')}`;
    if (name === '' || pressed.has(key) || !(await button.isVisible())) continue;
    pressed.add(key);
    return { name, button };
  }
  return undefined;
}

/** Until nothing is loaded any more, and what has come is shown. */
async function settle(page: Page): Promise<void> {
  await page.locator('main:not(.starting)').first().waitFor();
  await page.getByText('⟦Loading…⟧').first().waitFor({ state: 'detached' });
  await page.waitForTimeout(400);
}

/** Logs in with the form of either application. */
export async function logInTranslated(page: Page, userName: string, password: string): Promise<void> {
  await page.getByLabel('⟦User name⟧').fill(userName);
  await page.getByLabel('⟦Password⟧').fill(password);
  await page.getByRole('button', { name: '⟦Log in⟧', exact: true }).click();
  await page.getByText(`⟦Logged in as ${userName}⟧`).waitFor();
}
