import type { Page } from 'playwright-core';

/** Waits until a field has the focus. It gets it a moment after it is shown: keys that are pressed before go elsewhere. */
export async function untilFocused(page: Page, label: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).and(page.locator(':focus')).waitFor();
}

/** Waits until the focus is in a dialog. */
export async function untilDialogFocused(page: Page): Promise<void> {
  await page.locator(':is([role=dialog], [role=alertdialog]):focus-within').first().waitFor();
}
