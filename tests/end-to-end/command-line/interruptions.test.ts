import { execFile } from 'node:child_process';
import { readdir, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it } from 'vitest';
import { startCuttingProxy } from '../client/cutting-proxy.ts';
import { oneLoggedIn } from './one-platform.ts';
import { environmentIn } from './waybill.ts';

const run = promisify(execFile);
const site = oneLoggedIn();
const main = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));

/** Runs a pipeline in bash with `waybill`; the exit code of its first command is printed at the end. */
async function pipe(script: string): Promise<{ out: string[]; err: string }> {
  const text = `waybill() { '${process.execPath}' '${main}' "$@"; }\n${script}\necho "exit code \${PIPESTATUS[0]}"`;
  const env = environmentIn(site.home);
  const { stdout, stderr } = await run('bash', ['--norc', '-c', text], { cwd: site.home, env });
  return { out: stdout.trim().split('\n'), err: stderr };
}

it.each([
  ['a list', 'waybill audit query --limit 100000 --json | head -1'],
  ['an export', 'waybill audit export | head -1'],
  ['a stream that never ends', 'waybill audit tail | { sleep 1; exec <&-; }'],
])('%s ends quietly when its reader is gone', async (_, script) => {
  const more = script.includes('tail')
    ? ` & (while kill -0 $! 2>/dev/null; do waybill status >/dev/null; done); wait $!; echo "exit code $?"; exit`
    : '';
  const { out, err } = await pipe(`${script}${more}`);
  expect(out.at(-1)).toBe('exit code 0');
  expect(err).toBe('');
});

it('a long list and an export are complete, however slowly they are read', async () => {
  const records = Number((await pipe('waybill audit query --limit 1000000 --json | wc -l')).out[0]);
  expect(records).toBeGreaterThan(10);
  const slow = await pipe('waybill audit export | { sleep 1; wc -l; }');
  // The last line is the checkpoint; records of these readings may have been added.
  expect(Number(slow.out[0])).toBeGreaterThan(records);
});

it('SIGINT ends an upload and a download in order, and the same command resumes each', async () => {
  await using proxy = await startCuttingProxy(site.platform.url);
  const login = ['login', '--url', proxy.url, '--user', 'acme', '--partner', '--context', 'proxy'];
  expect((await site.waybill(login, { input: 'acme-demo' })).code).toBe(0);
  const file = join(site.home, 'large.bin');
  await writeFile(file, 'beginning');
  await truncate(file, 600_000_000);
  const interrupt = async (args: readonly string[]) => {
    const before = proxy.passed();
    const running = site.waybill.start([...args, '--context', 'proxy']);
    await waitFor(() => proxy.passed() > before + 20_000_000, { what: 'the transfer to have begun', intervalMs: 1 });
    running.process.kill('SIGINT');
    expect(await running.ended).toEqual({
      code: 130,
      out: '',
      err: 'Interrupted: the same command resumes the transfer.\n',
    });
  };
  await interrupt(['files', 'put', 'large.bin', '/inbox/large.bin']);
  expect(await site.waybill(['files', 'put', 'large.bin', '/inbox/large.bin', '--context', 'proxy'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/572\.2 MiB stored, resumed at [\d.]+ MiB\n$/u),
  });
  await interrupt(['files', 'get', '/inbox/large.bin', 'back.bin']);
  expect((await readdir(site.home)).filter((name) => name.startsWith('back.bin'))).toHaveLength(1);
  expect(await site.waybill(['files', 'get', '/inbox/large.bin', 'back.bin', '--context', 'proxy'])).toMatchObject({
    code: 0,
    out: expect.stringMatching(/572\.2 MiB received, resumed at [\d.]+ MiB\n$/u),
  });
  await site.done('files', 'rm', '/inbox/large.bin');
});

it('SIGTERM ends what waits, and a second signal is not needed', async () => {
  const watching = site.waybill.start(['jobs', 'watch']);
  await waitFor(
    async () => {
      await site.done('jobs', 'submit', 'invoices', 'write-report', '--variables', '{"name":"signal","text":"x"}');
      return watching.printed() !== '';
    },
    { what: 'a change to be seen' },
  );
  watching.process.kill('SIGTERM');
  expect(await watching.ended).toMatchObject({ code: 130, err: '' });
});

it('objects of the configuration: created once, listed, changed, replaced and deleted, and wrong ones explained', async () => {
  const actors = (command: string, ...args: string[]) => ['objects', command, 'actors', ...args];
  const create = () => site.waybill(actors('create'), { input: 'name: wayne\ntype: Partner\n' });
  expect(await create()).toEqual({ code: 0, out: 'wayne was created\n', err: '' });
  expect(await create()).toMatchObject({ code: 1, out: '' });
  expect(await site.done(...actors('list', '--name', 'way*', '--source', ''))).toMatch(/^wayne +the API$/mu);
  const shown = await site.done(...actors('show', 'wayne'));
  expect(JSON.parse(shown)).toMatchObject({ name: 'wayne', source: null });
  const version = (await site.done(...actors('show', 'wayne', '--version'))).trim();
  const change = (...options: string[]) =>
    site.waybill(actors('change', 'wayne', ...options), { input: 'description: A partner' });
  expect(await change('--dry-run')).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^~ Actor wayne\n {4}description: .*A partner.*\nThis was a dry run: .*\n$/u),
  });
  expect(await change('--if-match', version)).toEqual({ code: 0, out: 'wayne was changed\n', err: '' });
  expect(await change('--if-match', version)).toMatchObject({
    code: 1,
    err: expect.stringMatching(/Read the current/u),
  });
  await writeFile(join(site.home, 'wayne.json'), shown);
  const replace = actors('replace', 'wayne', '--file', 'wayne.json', '--if-match', '*');
  expect(JSON.parse(await site.done(...replace, '--json'))).toEqual(JSON.parse(shown));
  expect(await site.done(...replace, '--dry-run')).toBe('Nothing to change.\n');
  expect(await site.done(...actors('delete', 'wayne'))).toBe('wayne was deleted\n');
  expect(await site.waybill(actors('create'), { input: '{"name":"x y z","typ":1}' })).toMatchObject({
    code: 1,
    err: expect.stringMatching(/errors?:\n {2}/u),
  });
});
