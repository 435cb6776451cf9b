import type { Page } from 'playwright-core';

/** Presses a key until an expression about the focused element `at` holds. */
export async function pressUntil(page: Page, key: string, isReached: string): Promise<void> {
  for (let step = 0; step < 60; step += 1) {
    if (await page.evaluate<boolean>(`(() => { const at = document.activeElement; return ${isReached}; })()`)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} never leads to ${isReached}`);
}
