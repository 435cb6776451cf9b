import type { Page } from 'playwright-core';

/** Times as they are written in German: `02. März 2026, 08:15:30 UTC`, or a part of one. */
const times =
  /\d{1,2}\. ?(?:Jan|Feb|März|Apr|Mai|Juni|Juli|Aug|Sept|Okt|Nov|Dez)\.?(?: \d{4})?(?:, \d{2}:\d{2}(?::\d{2})?(?:[.,]\d{3})?(?: (?:UTC|GMT|MEZ|MESZ)\S*)?)?/gu;

/**
 * What is shown, or said by a screen reader: the texts of elements and of their attributes. Settings and logs are data, and so is what is
 * marked as not to be translated.
 */
const shownTexts = `(() => {
  const attributes = ['aria-label', 'aria-description', 'aria-placeholder', 'aria-roledescription', 'aria-valuetext', 'alt', 'placeholder', 'title'];
  const texts = [document.title];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
    const element = node.nodeType === 1 ? node : node.parentElement;
    if (element.closest('script, style, noscript, template, textarea, pre, [hidden], [translate=no]') !== null) continue;
    if (node.nodeType === 3) texts.push(node.data);
    else for (const name of attributes) texts.push(node.getAttribute(name) ?? '');
  }
  return texts;
})()`;

/** The texts that a page shows, or that a screen reader says. */
export function readShownTexts(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(shownTexts);
}

/**
 * Texts with words that are neither in the brackets of the translation, nor what the platform has sent as data: every such word has to be
 * one of `data`.
 */
export function findUntranslated(texts: readonly string[], data: readonly RegExp[]): string[] {
  const left = texts.map((text) => {
    let rest = text;
    for (let before = ''; before !== rest;) {
      before = rest;
      rest = rest.replaceAll(/⟦[^⟦⟧]*⟧/gu, ' ');
    }
    return [...data, times].reduce((kept, pattern) => kept.replaceAll(pattern, ' '), rest).trim();
  });
  return [...new Set(left.filter((text) => /\p{L}/u.test(text)))];
}
