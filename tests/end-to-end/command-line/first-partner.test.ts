import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PlatformProcess, startPlatformProcess } from '../platform-process.ts';
import { environmentIn } from './waybill.ts';

const run = promisify(execFile);
const page = fileURLToPath(new URL('../../../docs/first-partner.md', import.meta.url));
const main = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));
const resources = new AsyncDisposableStack();
let platform: PlatformProcess;
let home: string;

/** A platform with nothing but an administrator without a password, and a server. */
const empty = {
  manager: { name: 'manager1' },
  managerUsers: [{ name: 'admin', roles: ['Administrators'] }],
  clusters: [{ name: 'cluster1', servers: [{ name: 'sftp-server', protocol: 'SFTP' }] }],
};

beforeAll(async () => {
  home = resources.use(await createTestFolder()).path;
  const configuration = join(home, 'platform.yaml');
  await writeFile(configuration, JSON.stringify(empty));
  platform = resources.use(await startPlatformProcess({ WAYBILL_CONFIGURATION: configuration }));
  await writeFile(join(home, 'waybill'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, { mode: 0o755 });
  await writeFile(join(home, 'password.txt'), 'a long first password\n');
});
afterAll(() => resources.disposeAsync());

it('docs/first-partner.md leads from an empty platform to an upload by key', async () => {
  const [, code = ''] = / --code (\S+)/u.exec(platform.printed()) ?? [];
  expect(code).not.toBe('');
  const blocks = [...(await readFile(page, 'utf8')).matchAll(/^```sh\n(.*?)^```$/gmsu)].map(([, block]) => block);
  expect(blocks).toHaveLength(5);
  const env = {
    ...environmentIn(home),
    PATH: `${home}:${process.env['PATH']}`,
    URL: platform.url,
    SFTP_PORT: String(platform.sftpPort),
    CODE: code,
  };
  const { stdout } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', blocks.join('\n')], { cwd: home, env });
  expect(stdout).toMatch(/sftp-gateway +up/u);
  expect(stdout).toContain('tom may upload /inbox/march.csv over SFTP');
  expect(stdout).toMatch(/^tom +umbrella +1 +[-\d]{10}T[:.\d]+Z +the API$/mu);
  expect(stdout).toMatch(/tom +Server upload file \/inbox\/march\.csv/u);
  expect(stdout.trim().split('\n').at(-1)).toMatch(/^Logged out of admin@/u);
});
