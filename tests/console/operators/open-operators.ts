import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type PlatformProcess, startPlatformProcess } from '@waybill/end-to-end/platform-process';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser, type WatchedBrowser, type WatchedPage } from '../open-browser.ts';

const demoFile = fileURLToPath(new URL('../../../deploy/demo/platform.yaml', import.meta.url));

/** The manager users of the test, beside those of the demo. */
export const operators = {
  olga: { password: 'a-password-of-olga', role: 'Operators' },
  otto: { password: 'a-password-of-otto', role: 'Operators' },
  una: { password: 'a-password-of-una', role: 'Users' },
  sara: { password: 'a-password-of-sara', role: 'Operators' },
  nina: { password: 'a-password-of-nina', role: 'Operators', passwordChangeRequired: true },
} as const;

/** The name of a manager user of the test. */
export type OperatorName = keyof typeof operators;

/** A platform, a browser, and manager users. */
export interface OperatorsRig extends AsyncDisposable {
  readonly platform: PlatformProcess;
  readonly browser: WatchedBrowser;
  /** A page whose user is logged in, at an address below `/console`. */
  logIn(name: OperatorName, address?: string, options?: BrowserContextOptions): Promise<WatchedPage>;
  /** Submits jobs that write a file into a folder, and returns their numbers. They fail if there is no such folder. */
  submit(count: number, folder?: string): Promise<number[]>;
}

/** Starts a platform and a browser. */
export async function openOperators(): Promise<OperatorsRig> {
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(await createTestFolder());
  const file = join(folder, 'platform.yaml');
  const users = Object.entries(operators).map(
    ([name, { role, ...account }]) => `  - ${JSON.stringify({ name, ...account, roles: [role] })}\n`,
  );
  const demo = await readFile(demoFile, 'utf8');
  await writeFile(file, demo.replace('managerUsers:\n', `managerUsers:\n${users.join('')}`));
  const platform = stack.use(await startPlatformProcess({ WAYBILL_CONFIGURATION: file }));
  const browser = stack.use(await openBrowser());
  const bearer = await platform.adminToken();
  const owned = stack.move();
  return {
    platform,
    browser,
    async logIn(name, address = '/', options = {}) {
      const watched = await browser.newPage(options);
      await watched.page.goto(`${platform.url}/console${address}`);
      await fillOperatorLogin(watched.page, name);
      await watched.page.getByText(`Logged in as ${name}`).waitFor();
      return watched;
    },
    async submit(count, target = '/outbox') {
      const ids: number[] = [];
      for (let index = 0; index < count; index += 1) {
        const json = {
          contractName: 'invoices',
          actionName: 'write-report',
          actionVariables: { folder: target, name: `report-${Date.now()}-${index}`, text: 'All invoices are in.' },
        };
        const response = await platform.http().post('/job-manager/jobs', { bearer, json });
        ids.push((response.json() as { id: number }).id);
      }
      return ids;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Fills in the login of a manager user and sends it. */
export async function fillOperatorLogin(page: Page, name: OperatorName, password?: string): Promise<void> {
  await page.getByLabel('User name').fill(name);
  await page.getByLabel('Password').fill(password ?? operators[name].password);
  await page.getByRole('button', { name: 'Log in' }).click();
}
