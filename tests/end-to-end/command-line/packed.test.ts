import { execFile } from 'node:child_process';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PlatformProcess, startPlatformProcess } from '../platform-process.ts';
import { type Waybill, waybillAt } from './waybill.ts';

const run = promisify(execFile);
const source = fileURLToPath(new URL('../../../packages/command-line/', import.meta.url));
const resources = new AsyncDisposableStack();
let platform: PlatformProcess;
let waybill: Waybill;
let home: string;
let node: string;

/** Packed, and installed into an empty folder outside of the repository, beside the oldest Node that it is for. */
beforeAll(async () => {
  platform = resources.use(await startPlatformProcess());
  home = resources.use(await createTestFolder()).path;
  const env = { ...process.env, npm_config_update_notifier: 'false' };
  await run('npm', ['pack', '--pack-destination', home], { cwd: source, env });
  const tarball = (await readdir(home)).find((name) => name.endsWith('.tgz')) ?? '';
  await writeFile(join(home, 'package.json'), '{}');
  await run('npm', ['install', '--no-audit', '--no-fund', join(home, tarball), 'node@22'], { cwd: home, env });
  const bin = join(home, 'node_modules', '.bin');
  waybill = waybillAt(home, [join(bin, 'node'), join(bin, 'waybill')]);
  node = (await run(join(bin, 'node'), ['--version'])).stdout;
});
afterAll(() => resources.disposeAsync());

it('installs no other package, and brings the licences of what it bundles', async () => {
  expect(await readdir(join(home, 'node_modules', '@waybill', 'command-line', 'dist'))).toEqual([
    'LICENSES.txt',
    'verify-audit-log.js',
    'waybill.js',
  ]);
  expect(node).toMatch(/^v22\./u);
  const installed = (await readdir(join(home, 'node_modules'))).filter(
    (name) => !name.startsWith('.') && !name.startsWith('node'),
  );
  expect(installed).toEqual(['@waybill']);
});

it('logs in, lists and uploads', async () => {
  const login = ['login', '--url', platform.url, '--user', 'acme', '--partner'];
  expect(await waybill(login, { input: 'acme-demo\n' })).toMatchObject({ code: 0, err: '' });
  await writeFile(join(home, 'march.csv'), 'id,amount\n1,9.50\n');
  expect(await waybill(['files', 'put', 'march.csv', '/inbox/'])).toEqual({
    code: 0,
    out: '/inbox/march.csv: 17 B stored\n',
    err: '',
  });
  expect((await waybill(['files', 'ls', '/inbox'])).out).toContain('march.csv');
  expect((await waybill(['files', 'get', '/inbox/march.csv', '-'])).out).toBe('id,amount\n1,9.50\n');
  expect(await waybill(['login', '--url', platform.url, '--user', 'admin'], { input: 'admin-demo' })).toMatchObject({
    code: 0,
  });
  expect((await waybill(['jobs', 'list', '--json'])).err).toBe('');
  expect((await waybill(['status'])).code).toBe(0);
  expect((await waybill(['audit', 'export', '--file', 'audit.ndjson'])).code).toBe(0);
  expect(await waybill(['audit', 'verify', '--file', 'audit.ndjson'])).toMatchObject({ code: 0, err: '' });
});

it('checks, plans and applies a configuration', async () => {
  const file = join(home, 'team.yaml');
  await writeFile(file, 'source: team\nactors:\n  - { name: stark, type: Partner }\n');
  expect((await waybill(['validate', file, '--partial'])).out).toContain('The configuration is valid.\n');
  expect((await waybill(['plan', file, '--exit-code'])).code).toBe(2);
  expect((await waybill(['apply', file])).out).toContain('Applied: 1 created');
  expect((await waybill(['export', '--source', 'team'])).out).toContain('name: stark');
  await writeFile(file, 'source: team\n');
  expect(await waybill(['apply', file, '--without-removals'])).toMatchObject({
    code: 3,
    err: expect.stringContaining('- Actor stark'),
  });
});

it('says that other commands are unknown, and answers failures as in the repository', async () => {
  expect(await waybill(['migrate'])).toMatchObject({
    code: 2,
    err: expect.stringContaining('unknown command migrate'),
  });
  expect((await waybill(['files', 'get', '/inbox/none'])).err).toBe(
    "waybill files get: File 'none' doesn't exist\n  List the folder.\n",
  );
});
