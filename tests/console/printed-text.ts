import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import type { Page } from 'playwright-core';

/** What a page is on paper. */
export interface PrintedPage {
  /** All of its text. What is broken into lines has neither breaks nor blanks, as everything here. */
  readonly text: string;
  readonly sheets: number;
}

/** Prints a page on A4, as its user does, and reads the paper. */
export async function printPage(page: Page): Promise<PrintedPage> {
  const data = new Uint8Array(await page.pdf({ format: 'A4', preferCSSPageSize: true }));
  const reading = getDocument({ data, useSystemFonts: true, verbosity: 0 });
  try {
    const document = await reading.promise;
    let text = '';
    for (let number = 1; number <= document.numPages; number += 1) {
      const { items } = await (await document.getPage(number)).getTextContent();
      text += items.map((item) => ('str' in item ? item.str : '')).join('');
    }
    return { text: withoutBlanks(text), sheets: document.numPages };
  } finally {
    await reading.destroy();
  }
}

/** A text as `PrintedPage` has it. */
export function withoutBlanks(text: string): string {
  return text.replaceAll(/\s/gu, '');
}

/** The colours of texts and of the ground on paper, in the dark scheme. */
export async function printedColours(page: Page): Promise<{ readonly text: string; readonly ground: string }> {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const colours = await page.evaluate<{ text: string; ground: string }>(`(() => {
    const { color: text, backgroundColor: ground } = getComputedStyle(document.documentElement);
    return { text, ground };
  })()`);
  await page.emulateMedia({ media: null, colorScheme: null });
  return colours;
}
