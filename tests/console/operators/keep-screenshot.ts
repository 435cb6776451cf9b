import { join } from 'node:path';
import type { Page } from 'playwright-core';

const images = join(import.meta.dirname, '../../../docs/images');

/** Keeps a picture of the page in `docs/images`, if `WAYBILL_SCREENSHOTS` asks for pictures. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (process.env['WAYBILL_SCREENSHOTS'] === undefined) return;
  // Things fade in.
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(images, `${name}.png`) });
}
