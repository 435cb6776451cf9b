import type { Page } from 'playwright-core';
import { costsOfTasks } from './scroll-costs.ts';

/** How much slower than this machine's a processor may be: that of a cheap telephone. */
const slowdown = 4;

/** From the beginning of the navigation until a page can be used. */
export const usableWithinMs = 1_500;

/** What is seen on a page as soon as it can be used. */
export interface Sight {
  /** In CSS. */
  readonly selector: string;
  /** A text that is in the elements. */
  readonly text?: string;
  /** How many of these elements are there at least, 1 unless it is given. */
  readonly atLeast?: number;
}

/** What the page writes to its console as soon as it can be used. */
const signal = 'The page can be used';

/**
 * Opens a page and returns the time, in milliseconds, that the main thread of a slow processor works until the page is usable. It is
 * computed from the processor time on this machine: where a browser slows itself down (`Emulation.setCPUThrottlingRate`),
 * it does so by the clock, and its times depend on what else runs. The page itself watches for the sight and tells it
 * after the next two frames: Playwright's own search, which runs in the page, would be a quarter of what is measured.
 */
export async function timeUntilUsable(page: Page, address: string, sight: Sight): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Page.enable');
  // Each opening costs as much as the first one.
  await session.send('Network.clearBrowserCache');
  const { identifier } = await session.send('Page.addScriptToEvaluateOnNewDocument', { source: watchFor(sight) });
  const { totalMs } = await costsOfTasks(page, async () => {
    const told = page.waitForEvent('console', (message) => message.text() === signal);
    await page.goto(address, { waitUntil: 'commit' });
    await told;
  });
  await session.send('Page.removeScriptToEvaluateOnNewDocument', { identifier });
  await session.detach();
  await untilSeen(page, sight);
  return totalMs * slowdown;
}

/** The least of up to three measurements, as soon as one is short enough: what else runs only ever lengthens them. */
export async function leastTime(measure: () => Promise<number>): Promise<number> {
  let least = await measure();
  for (let others = 2; others > 0 && least > usableWithinMs; others -= 1) least = Math.min(least, await measure());
  return least;
}

/** Opens a page on a processor that the browser slows down, and waits until it is usable. */
export async function openSlowly(page: Page, address: string, sight: Sight): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowdown });
  await page.goto(address);
  await untilSeen(page, sight);
  await session.detach();
}

async function untilSeen(page: Page, { selector, text, atLeast = 1 }: Sight): Promise<void> {
  await page
    .locator(selector, { ...(text !== undefined && { hasText: text }) })
    .nth(atLeast - 1)
    .waitFor();
}

function watchFor({ selector, text = '', atLeast = 1 }: Sight): string {
  return `new MutationObserver((_, observer) => {
    const elements = [...document.querySelectorAll(${JSON.stringify(selector)})];
    if (elements.filter(({ textContent }) => textContent.includes(${JSON.stringify(text)})).length < ${atLeast}) return;
    observer.disconnect();
    requestAnimationFrame(() => requestAnimationFrame(() => console.debug(${JSON.stringify(signal)})));
  }).observe(document, { childList: true, characterData: true, subtree: true });`;
}
