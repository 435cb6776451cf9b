import type { Page } from 'playwright-core';
import { expect } from 'vitest';
import { findAccessViolations } from './open-browser.ts';

/**
 * What is wrong with a page that shows texts of strangers: elements that such a text has become, scripts that have run, texts whose
 * direction spoils that of their surroundings, characters that nobody sees, and content beside the window.
 */
export async function findSpoiledPlaces(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const found = [];
    if (window.hasRun !== undefined) found.push('a script has run');
    for (const { outerHTML } of document.querySelectorAll('[onerror], [onload], img[src="x"], #application script, iframe'))
      found.push('an element: ' + outerHTML.slice(0, 200));
    const { scrollWidth, clientWidth } = document.documentElement;
    if (scrollWidth > clientWidth) found.push('the window is ' + clientWidth + ' wide, the page ' + scrollWidth);
    for (const part of document.querySelectorAll('main, [role=dialog], [role=alertdialog]')) {
      if (part.scrollWidth <= part.clientWidth + 1) continue;
      const { right } = part.getBoundingClientRect();
      const widest = [...part.querySelectorAll('*')].find((one) => one.getBoundingClientRect().right > right + 1) ?? part;
      found.push('wider than ' + part.tagName + ': ' + widest.outerHTML.slice(0, 200));
    }
    const unseen = /[\\u200b\\u202a-\\u202e\\u2066-\\u2069]/u;
    if (unseen.test(document.title)) found.push('not marked: the title');
    for (const { title, ariaLabel, tagName } of document.querySelectorAll('[title], [aria-label]'))
      if (unseen.test(title) || unseen.test(ariaLabel ?? '')) found.push('not marked: the label of ' + tagName);
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text !== null; text = walker.nextNode()) {
      const element = text.parentElement;
      if (element.getClientRects().length === 0) continue;
      if (unseen.test(text.data)) {
        // Settings and contents are shown as they are.
        if (element.closest('pre, textarea') === null) found.push('not marked: ' + element.outerHTML.slice(0, 200));
        let block = element;
        while (getComputedStyle(block).display === 'inline' && block.tagName !== 'BDI') block = block.parentElement;
        const isAlone = block.textContent.trim() === text.data.trim() || block.tagName === 'PRE';
        if (block.tagName !== 'BDI' && !isAlone) found.push('not isolated: ' + block.outerHTML.slice(0, 200));
      }
    }
    return [...new Set(found)];
  })()`);
}

/** All that is wrong with a page, also by the rules of axe. */
export async function findFaults(page: Page): Promise<string[]> {
  return [...(await findSpoiledPlaces(page)), ...(await findAccessViolations(page))];
}

/** Expects nothing wrong by the rules of axe, in the light and the dark scheme, and nothing beside a window of 320 pixels. */
export async function checkNarrowPage(page: Page, what: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await findAccessViolations(page), `${what}, ${colorScheme}`).toEqual([]);
    expect(await page.evaluate<number>('document.documentElement.scrollWidth'), what).toBeLessThanOrEqual(320);
  }
}

/** What a header shows of the user: where it is narrow, the name alone. Undefined if a part of it is cut off. */
export async function nameInHeader(page: Page): Promise<string | undefined> {
  const shown = await page.evaluate<string | null>(`(() => {
    const user = document.querySelector('.logged-in');
    if (user.scrollWidth > user.clientWidth) return null;
    const { content } = getComputedStyle(user, '::after');
    return content === 'none' ? user.textContent : content;
  })()`);
  return shown?.match(/"(?<name>[^"]+)"/u)?.groups?.name ?? shown ?? undefined;
}

/** Buttons of rows that are not in sight because their table is wider than its place on the page. */
export async function findHiddenActions(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const found = [];
    for (const table of document.querySelectorAll('.small-table')) {
      const { left, right } = table.getBoundingClientRect();
      for (const button of table.querySelectorAll('tbody button')) {
        const place = button.getBoundingClientRect();
        if (place.left < left || place.right > right + 1) found.push(table.getAttribute('aria-label') + ': ' + button.textContent);
      }
    }
    return found;
  })()`);
}
