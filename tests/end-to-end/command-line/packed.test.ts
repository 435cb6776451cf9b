import { execFile } from 'node:child_process';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type PlatformProcess, startPlatformProcess } from '../platform-process.ts';
import {
  type DocumentedProgram,
  errorPlaces,
  refusedPlaces,
  refusedProgram,
  strictProject,
  writePrograms,
} from './documented-programs.ts';
import { type Waybill, waybillAt } from './waybill.ts';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../../../', import.meta.url));
const env = { ...process.env, npm_config_update_notifier: 'false' };
const resources = new AsyncDisposableStack();
let platform: PlatformProcess;
let waybill: Waybill;
let home: string;
let node: string;

beforeAll(async () => {
  platform = resources.use(await startPlatformProcess());
});

/** The packages, packed and installed into an empty folder outside of the repository, beside the oldest Node that they are for. */
beforeAll(async () => {
  home = resources.use(await createTestFolder()).path;
  const pack = async (name: string): Promise<string> => {
    const folder = join(root, 'packages', name);
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', home], { cwd: folder, env });
    return join(home, stdout.trim().split('\n').at(-1) ?? '');
  };
  const tarballs = [await pack('command-line'), await pack('client')];
  await writeFile(join(home, 'package.json'), '{ "type": "module" }');
  const others = ['node@22', '@types/node@22'];
  await run('npm', ['install', '--no-audit', '--no-fund', ...tarballs, ...others], { cwd: home, env });
  node = join(home, 'node_modules', '.bin', 'node');
  waybill = waybillAt(home, [node, join(home, 'node_modules', '.bin', 'waybill')]);
});
afterAll(() => resources.disposeAsync());

it('installs no other package, and brings the licences of what it bundles', async () => {
  expect(await readdir(join(home, 'node_modules', '@waybill', 'command-line', 'dist'))).toEqual([
    'LICENSES.txt',
    'verify-audit-log.js',
    'waybill.js',
  ]);
  expect((await run(node, ['--version'])).stdout).toMatch(/^v22\./u);
  // Beside what the test itself has installed: Node, and its types with the package that they need.
  const installed = (await readdir(join(home, 'node_modules'))).filter((name) => !/^(?:\.|node)/u.test(name));
  expect(installed).toEqual(['@types', '@waybill', 'undici-types']);
  const licences = await readFile(join(home, 'node_modules', '@waybill', 'client', 'dist', 'LICENSES.txt'), 'utf8');
  expect([...licences.matchAll(/^(?:waybill|undici|zod)$/gmu)].map(String)).toEqual(['waybill', 'undici', 'zod']);
});

describe('the client', () => {
  const pages = { readme: 'packages/client/README.md', guide: 'docs/client.md' };
  let programs: Record<keyof typeof pages, DocumentedProgram[]>;

  it('is accepted by a strict TypeScript project, with the types of the contracts', async () => {
    const write = async (name: keyof typeof pages) =>
      writePrograms(join(root, pages[name]), join(home, name), platform.url);
    programs = { readme: await write('readme'), guide: await write('guide') };
    await writeFile(join(home, 'readme', 'refused.ts'), refusedProgram);
    await writeFile(join(home, 'tsconfig.json'), JSON.stringify(strictProject(Object.keys(pages))));
    const compiler = join(root, 'node_modules', '.bin', 'tsc');
    const compilation = run(compiler, ['--project', home], { cwd: home });
    const { stdout } = await compilation.catch((error: unknown) => error as { stdout: string });
    expect(errorPlaces(stdout), stdout).toEqual(refusedPlaces('readme/refused.ts'));
  });

  it.each(Object.keys(pages))('runs the programs of its documentation: %s', async (name) => {
    const page = programs[name as keyof typeof pages];
    const folder = join(home, 'out', name);
    await writeFile(join(home, 'march.csv'), 'id,amount\n1,9.50\n');
    await writeFile(join(folder, 'all.js'), page.map((program) => `await import('./${program.name}.js');\n`).join(''));
    const passwords = { ACME_PASSWORD: 'acme-demo', ADMIN_PASSWORD: 'admin-demo' };
    const { stdout } = await run(node, [join(folder, 'all.js')], { cwd: home, env: { ...env, ...passwords } });
    const expected = {
      readme: ['17 of 17 bytes', 'stored with SHA-256 ', /^job \d+ submitted$/mu, "doesn't exist (404)"],
      guide: ['17 of 17\ntrue\n', 'id,amount\n1,9.50\n', 'List the jobs.'],
    }[name];
    for (const text of expected ?? []) expect(stdout).toMatch(text);
    if (name === 'readme') expect(await readFile(join(home, 'copy.csv'), 'utf8')).toBe('id,amount\n1,9.50\n');
  });

  it('has no module that lacks another one', async () => {
    const folder = join(home, 'node_modules', '@waybill', 'client', 'dist');
    const modules = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js'));
    expect(modules).toContain('endpoints/jobs/list-jobs.js');
    const program = modules.map((name) => `await import(${JSON.stringify(join(folder, name))});`).join('\n');
    expect(await run(node, ['--input-type=module', '--eval', program], { cwd: home })).toEqual({
      stdout: '',
      stderr: '',
    });
  });
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

it('says where other commands are, and answers failures as in the repository', async () => {
  for (const words of [['migrate'], ['keys', 'acme'], ['pgp-key'], ['pgp-key', 'list'], ['files', 'verify']]) {
    expect(await waybill(words)).toMatchObject({
      code: 2,
      err: expect.stringMatching(/^waybill: .* is a command on the server of the installation only\n/u),
    });
  }
  expect((await waybill(['files', 'verfy'])).err).toContain("unknown command 'verfy'");
  expect((await waybill(['files', 'get', '/inbox/none'])).err).toBe(
    "waybill files get: File 'none' doesn't exist\n  List the folder.\n",
  );
});
