import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type PlatformProcess, startPlatformProcess } from '@waybill/end-to-end/platform-process';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import type { BrowserContextOptions } from 'playwright-core';
import { openBrowser, type WatchedBrowser, type WatchedPage } from '../open-browser.ts';
import { configurePartners } from '../partners/open-partners.ts';

/** A platform, and a browser that gets applications with a second language from it. */
export interface LanguagesRig extends AsyncDisposable {
  readonly platform: PlatformProcess;
  /** A page whose browser prefers languages. */
  newPage(options: BrowserContextOptions): Promise<WatchedPage>;
}

/** Builds the applications, and starts a platform and a browser. */
export async function openLanguages(): Promise<LanguagesRig> {
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(await createTestFolder());
  const env = { ...process.env, NODE_ENV: 'production' };
  await promisify(execFile)(process.execPath, [join(import.meta.dirname, 'build-translated.ts'), folder], { env });
  const platform = stack.use(await startPlatformProcess(await configurePartners(folder)));
  const browser = stack.use(await openBrowser());
  const owned = stack.move();
  return {
    platform,
    newPage: (options) => openPage(browser, platform.url, folder, options),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** A page whose applications come from a folder, with the headers of the platform; everything else comes from the platform. */
export async function openPage(
  browser: WatchedBrowser,
  url: string,
  folder: string,
  options: BrowserContextOptions,
): Promise<WatchedPage> {
  const watched = await browser.newPage(options);
  for (const [name, base] of [
    ['partners', '/ui/'],
    ['operators', '/console/'],
  ] as const) {
    await watched.page.route(`${url}${base}**`, async (route) => {
      const { pathname } = new URL(route.request().url());
      const file = join(folder, name, pathname.slice(base.length));
      const isFile = pathname.slice(base.length).startsWith('assets/') && existsSync(file);
      const policy = (await route.fetch({ url: `${url}${base}` })).headers()['content-security-policy'] ?? '';
      await route.fulfill({
        path: isFile ? file : join(folder, name, 'page.html'),
        headers: { 'content-security-policy': policy, ...(!isFile && { 'content-type': 'text/html; charset=utf-8' }) },
      });
    });
  }
  return watched;
}
