import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startPlatformProcess, type PlatformProcess } from '@waybill/end-to-end/platform-process';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { runSftp, type SftpOutcome } from '@waybill/test-kit/run-sftp';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { openBrowser, type WatchedBrowser, type WatchedPage } from '../open-browser.ts';
import { sendLogin } from '../send-login.ts';

/** A platform, a browser, and the partner acme in both. */
export interface PartnersRig extends AsyncDisposable {
  readonly platform: PlatformProcess;
  readonly browser: WatchedBrowser;
  /** A folder for local files. */
  readonly folder: string;
  /** A page whose user is logged in, at an address below `/ui`. */
  logIn(address?: string, options?: BrowserContextOptions): Promise<WatchedPage>;
  /** Runs commands as acme over SFTP. */
  sftp(...commands: string[]): Promise<SftpOutcome>;
  /** Writes a local file and returns its path. */
  writeTestFile(name: string, content: string | Buffer): Promise<string>;
}

const demoConfiguration = join(import.meta.dirname, '../../../deploy/demo/platform.yaml');

/** A partner whose users may add SSH keys, and one of whom is in no Connection Contract; actors are the last part of the demo's configuration. */
const moreConfiguration = `
  - name: umbrella
    type: Partner
    accountPolicy: own-keys
    users: [{ name: tom, password: umbrella-demo }, { name: tim, password: umbrella-demo }, { name: tam, password: umbrella-demo }]
    virtualFileSystems:
      - name: umbrella-files
        folders: [/inbox, /drop]
        acl:
          - { path: /, grants: [{ user: tom, permissions: [list, download, upload, delete, rename, createFolder] }, { user: tim, permissions: [list, download, upload, delete, rename, createFolder] }] }
          - { path: /drop, grants: [{ user: tom, permissions: [list, upload] }, { user: tim, permissions: [list, upload] }] }
    connectionContracts:
      - { name: to-http, cluster: cluster1, server: http-server, clauses: [{ user: tom, vfs: umbrella-files }, { user: tim, vfs: umbrella-files }] }
accountPolicies:
  - { name: own-keys, sshKeys: { allowed: true }, partnerSecondFactor: optional }
`;

/** Starts a platform and a browser; `env` adds to the environment of the platform. */
export async function openPartners(env: Readonly<Record<string, string>> = {}): Promise<PartnersRig> {
  await using stack = new AsyncDisposableStack();
  const { path: folder } = stack.use(await createTestFolder());
  const platform = stack.use(await startPlatformProcess({ ...env, ...(await configurePartners(folder)) }));
  const browser = stack.use(await openBrowser());
  const owned = stack.move();
  return {
    platform,
    browser,
    folder,
    async logIn(address = '/', options = {}) {
      const watched = await browser.newPage(options);
      await watched.page.goto(`${platform.url}/ui${address}`);
      await fillLogin(watched.page);
      await watched.page.getByRole('grid').waitFor();
      return watched;
    },
    sftp: (...commands) =>
      runSftp({ port: platform.sftpPort, user: 'acme', password: 'acme-demo', commands, timeoutMs: 120_000 }),
    async writeTestFile(name, content) {
      const file = join(folder, name);
      await writeFile(file, content);
      return file;
    },
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

/** Writes the configuration of the demo with umbrella into a folder, and returns the environment of a platform that has it. */
export async function configurePartners(folder: string): Promise<{ WAYBILL_CONFIGURATION: string }> {
  const configuration = join(folder, 'platform.yaml');
  await writeFile(configuration, `${await readFile(demoConfiguration, 'utf8')}${moreConfiguration}`);
  return { WAYBILL_CONFIGURATION: configuration };
}

/** Fills in the login of acme, or of another user, and sends it. */
export async function fillLogin(page: Page, password = 'acme-demo', userName = 'acme'): Promise<void> {
  await sendLogin(page, userName, password);
}

/** Chooses files with the button of the toolbar. */
export function chooseFiles(page: Page, files: string | string[]): Promise<void> {
  return page.getByLabel('Upload files').and(page.locator('input')).setInputFiles(files);
}
