import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { builtInRoles } from '@waybill/contracts/roles/built-in-roles';
import { freePorts } from '@waybill/end-to-end/launch-platform';
import { type PlatformProcess, startPlatformProcess } from '@waybill/end-to-end/platform-process';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { oidcClient, type OutsideIssuer, startOutsideIssuer } from '@waybill/test-kit/oidc/outside-issuer';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser, type WatchedBrowser, type WatchedPage } from '../open-browser.ts';
import { sendLogin } from '../send-login.ts';

const demoFile = fileURLToPath(new URL('../../../deploy/demo/platform.yaml', import.meta.url));

/** The manager users of the test, beside those of the demo. */
export const operators = {
  olga: { password: 'a-password-of-olga', role: 'Operators' },
  otto: { password: 'a-password-of-otto', role: 'Operators' },
  una: { password: 'a-password-of-una', role: 'Users' },
  sara: { password: 'a-password-of-sara', role: 'Operators' },
  tess: { password: 'a-password-of-tess', role: 'Users' },
  lena: { password: 'a-password-of-lena', role: 'Operators of acme' },
  ada: { password: 'a-password-of-ada', role: 'Auditors' },
  nina: { password: 'a-password-of-nina', role: 'Operators', passwordChangeRequired: true },
} as const;

/** What operators may do, for one partner. */
const limitedRole = {
  name: 'Operators of acme',
  permissions: builtInRoles.Operators.permissions,
  actors: ['acme'],
};

/** Files that are due once a year: one at any other time is unexpected. */
const yearlyExpectation = {
  name: 'yearly',
  vfs: 'acme-files',
  virtualPath: '/inbox',
  filePattern: '*.due',
  cron: '0 9 1 7 *',
  windowMinutes: 60,
};

/** The same with other files, thrice. */
const earlyExpectations = ['first', 'second', 'third'].map((name) => ({
  ...yearlyExpectation,
  name,
  filePattern: `*.${name}`,
}));

/** The name of a manager user of the test. */
export type OperatorName = keyof typeof operators;

/** A platform, a browser, and manager users. */
export interface OperatorsRig extends AsyncDisposable {
  readonly platform: PlatformProcess;
  readonly browser: WatchedBrowser;
  /** Whose users can log in to the console, too. */
  readonly issuer: OutsideIssuer;
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
  const beforeActions = '        type: Mediation\n';
  await writeFile(
    file,
    demo
      .replace('managerUsers:\n', `roles:\n  - ${JSON.stringify(limitedRole)}\nmanagerUsers:\n${users.join('')}`)
      .replace(
        beforeActions,
        `${beforeActions}        expectations: ${JSON.stringify([yearlyExpectation, ...earlyExpectations])}\n`,
      ),
  );
  const { WAYBILL_EDGE_PORT } = await freePorts();
  const callback = `http://127.0.0.1:${WAYBILL_EDGE_PORT}/platform-application/api/v1/auth/oidc/callback`;
  const issuer = stack.use(await startOutsideIssuer(() => callback));
  const oidc = {
    OIDC_ISSUER: issuer.url,
    OIDC_NAME: 'Example Login',
    OIDC_CLIENT_ID: oidcClient.id,
    OIDC_CLIENT_SECRET: oidcClient.secret,
    OIDC_CALLBACK_URL: callback,
    OIDC_ROLES: '{"operators":["Operators"]}',
  };
  const env = { WAYBILL_CONFIGURATION: file, WAYBILL_EDGE_PORT, WEBHOOK_BODY_BYTES: '2000', ...oidc };
  const platform = stack.use(await startPlatformProcess(env));
  const browser = stack.use(await openBrowser());
  const bearer = await platform.adminToken();
  const owned = stack.move();
  return {
    platform,
    browser,
    issuer,
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
  await sendLogin(page, name, password ?? operators[name].password);
}

/** A page below `/console` of the administrator of the demo. */
export async function openAsAdministrator(
  { platform, browser }: Pick<OperatorsRig, 'platform' | 'browser'>,
  address: string,
): Promise<WatchedPage> {
  const watched = await browser.newPage();
  const { page } = watched;
  await page.goto(`${platform.url}/console${address}`);
  await sendLogin(page, 'admin', 'admin-demo');
  await page.getByText('Logged in as admin').waitFor();
  return watched;
}
