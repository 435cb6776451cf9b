import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { ensureProgram } from '@waybill/private-datastores/ensure-program';
import { findProgram } from '@waybill/private-datastores/find-program';
import type { AxeResults, RunOptions } from 'axe-core';
import { type Browser, type BrowserContext, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';

/** A page in a real browser, and what went wrong in it. */
export interface WatchedPage {
  readonly page: Page;
  /**
   * Errors of the console, exceptions and violations of the content security policy, of this page and of all that share its cookies,
   * since the last call. The test fails at its end if there are others.
   */
  takeErrors(): string[];
}

/** A browser whose pages are watched. Disposing of it closes them all. */
export interface WatchedBrowser extends AsyncDisposable {
  /** A page with cookies and storage of its own, until the test that opens it ends. */
  newPage(options?: BrowserContextOptions): Promise<WatchedPage>;
}

/** As root, Chromium needs `--no-sandbox`; it looks nothing up in the network. */
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Starts Debian's Chromium, which is installed if it is missing. */
export async function openBrowser(): Promise<WatchedBrowser> {
  const executablePath = await ensureProgram({
    what: 'Chromium',
    packages: ['chromium'],
    find: () => findProgram('chromium'),
  });
  const browser: Browser = await chromium.launch({ executablePath, args });
  return {
    async newPage(options = {}) {
      const context = await browser.newContext({ viewport: { width: 1_100, height: 750 }, ...options });
      // The page would read on what it shows, again and again.
      const errors = watchPages(context);
      onTestFinished(async () => {
        // Rarely, Chromium does not close a page that is being loaded: it ends with the browser.
        await Promise.race([context.close(), setTimeout(30_000, undefined, { ref: false })]);
        expect(errors.splice(0), 'errors in the browser').toEqual([]);
      });
      // As `waitFor` and `expect.poll` do.
      context.setDefaultTimeout(60_000);
      // The console does not tell each violation of the policy.
      await context.addInitScript(
        `document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
          console.error('Content security policy:', violatedDirective, blockedURI));`,
      );
      return { page: await context.newPage(), takeErrors: () => errors.splice(0) };
    },
    [Symbol.asyncDispose]: () => browser.close(),
  };
}

/** What goes wrong in any page of a context from now on. */
function watchPages(context: BrowserContext): string[] {
  const errors: string[] = [];
  context.on('console', (message) => {
    // The browser itself reports each response with a status from 400 on: the page shows what it means.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      errors.push(message.text());
  });
  context.on('weberror', (webError) => errors.push(webError.error().message));
  return errors;
}

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** All rules; of what is in order, nothing is told. */
const axeOptions: RunOptions = { resultTypes: ['violations'], selectors: false };

/** What axe finds on a page: the rule and the element of each violation. */
export async function findAccessViolations(page: Page): Promise<string[]> {
  if (await page.evaluate<boolean>('window.axe === undefined')) await page.evaluate(axe);
  const { violations } = await page.evaluate<AxeResults>(`axe.run(${JSON.stringify(axeOptions)})`);
  return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 200)}`));
}

const images = join(import.meta.dirname, '../../docs/images');

/** Keeps a picture of the page in `docs/images`, if `WAYBILL_SCREENSHOTS` asks for pictures. */
export async function keepScreenshot(page: Page, name: string): Promise<void> {
  if (process.env['WAYBILL_SCREENSHOTS'] === undefined) return;
  // Things fade in.
  await page.waitForTimeout(300);
  await page.screenshot({ path: join(images, `${name}.png`) });
}

/** The same in the dark scheme. */
export async function keepDarkScreenshot(page: Page, name: string): Promise<void> {
  await page.emulateMedia({ colorScheme: 'dark' });
  await keepScreenshot(page, name);
  await page.emulateMedia({ colorScheme: null });
}
