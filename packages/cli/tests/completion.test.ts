import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { ensureShells } from '@waybill/test-kit/ensure-clients';
import { afterAll, beforeAll, expect, it } from 'vitest';

const run = promisify(execFile);
const program = path.join(import.meta.dirname, '..', 'src', 'main.ts');

/** A folder with a program `waybill`, and a file `march.csv`. */
let folder: Awaited<ReturnType<typeof createTestFolder>>;
const inFolder = () => ({
  cwd: folder.path,
  env: { ...process.env, PATH: `${folder.path}:${process.env['PATH']}`, HOME: folder.path, TERM: 'dumb' },
});

beforeAll(async () => {
  await ensureShells('zsh', 'fish');
  folder = await createTestFolder();
  await writeFile(path.join(folder.path, 'waybill'), `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`, {
    mode: 0o755,
  });
  await writeFile(path.join(folder.path, 'march.csv'), '');
  const contexts = Object.fromEntries(
    ['9443', '7443'].map((port) => {
      const url = `https://127.0.0.1:${port}`;
      return [`admin@127.0.0.1:${port}`, { side: 'manager', url, user: 'admin' }];
    }),
  );
  await mkdir(path.join(folder.path, '.config', 'waybill'), { recursive: true });
  const file = path.join(folder.path, '.config', 'waybill', 'contexts.json');
  await writeFile(file, JSON.stringify({ current: {}, contexts }), { mode: 0o600 });
}, 120_000);
afterAll(() => folder.remove());

async function script(shell: string): Promise<string> {
  return (await run('waybill', ['completion', shell], inFolder())).stdout;
}

/** What the lines become by the tab that follows each, in an interactive shell. */
async function complete(shell: 'zsh' | 'bash', typed: readonly string[]): Promise<string[]> {
  const driver = path.join(import.meta.dirname, 'complete-in-shell.zsh');
  const { stdout } = await run('zsh', ['-f', driver, shell, ...typed], inFolder());
  return stdout.split('\n').slice(0, -1);
}

const lines = [
  ['waybill jobs resum', 'waybill jobs resume '],
  ['waybill job sub', 'waybill job submit '],
  ['waybill help que', 'waybill help queues '],
  ['waybill help job sub', 'waybill help job submit '],
  ['waybill jobs list --status RU', 'waybill jobs list --status RUNNING '],
  ['waybill jobs list --status=RU', 'waybill jobs list --status=RUNNING '],
  ['waybill completion fi', 'waybill completion fish '],
  ['waybill files put mar', 'waybill files put march.csv '],
  ['waybill audit export --file=mar', 'waybill audit export --file=march.csv '],
  ['waybill status --context adm', 'waybill status --context admin@127.0.0.1:'],
  ['waybill status --context admin@127.0.0.1:94', 'waybill status --context admin@127.0.0.1:9443 '],
  ['waybill context use admin@127.0.0.1:7', 'waybill context use admin@127.0.0.1:7443 '],
  ['waybill context remove admin@127.0.0.1:7', 'waybill context remove admin@127.0.0.1:7443 '],
  ['waybill status --context=admin@127.0.0.1:9', 'waybill status --context=admin@127.0.0.1:9443 '],
  [
    'waybill login --url https://files.example.org:8443 --us',
    'waybill login --url https://files.example.org:8443 --user ',
  ],
] as const;
const typed = lines.map(([line]) => line);
const completed = lines.map(([, line]) => line);

it('zsh completes commands, values of options, contexts and files, from the first time on', async () => {
  await writeFile(path.join(folder.path, '_waybill'), await script('zsh'));
  expect(await complete('zsh', typed)).toEqual(completed);
}, 240_000);

it('bash does, too, also after the characters at which it divides words', async () => {
  await writeFile(path.join(folder.path, 'waybill.bash'), await script('bash'));
  expect(await complete('bash', typed)).toEqual(completed);
}, 240_000);

it('zsh completes with a script that is read by its start-up file, too', async () => {
  const read = path.join(folder.path, 'read');
  await mkdir(read);
  await writeFile(path.join(read, 'completion.zsh'), await script('zsh'));
  const ask = `autoload -Uz compinit; compinit -u -D; source ${read}/completion.zsh; print -r -- $_comps[waybill]`;
  expect((await run('zsh', ['-f', '-c', ask], inFolder())).stdout).toBe('_waybill\n');
});

it('fish completes commands, values of options and files, and nothing else', async () => {
  await writeFile(path.join(folder.path, 'waybill.fish'), await script('fish'));
  const candidates = async (line: string): Promise<string[]> => {
    const ask = `source waybill.fish; complete -C '${line}'`;
    const { stdout } = await run('fish', ['--no-config', '-c', ask], inFolder());
    return stdout.split('\n').filter((word) => word !== '');
  };
  expect(await candidates('waybill jobs re')).toEqual(['resubmit', 'resume']);
  expect(await candidates('waybill jobs list --status R')).toEqual(['RUNNING']);
  expect(await candidates('waybill completion ')).toEqual(['bash', 'fish', 'zsh', '--help']);
  expect(await candidates('waybill files put mar')).toEqual(['march.csv']);
  expect(await candidates('waybill audit export --file=mar')).toEqual(['--file=march.csv']);
  expect(await candidates('waybill jobs list --status=R')).toEqual(['--status=RUNNING']);
  expect(await candidates('waybill help job sub')).toEqual(['submit']);
  expect(await candidates('waybill job sub')).toEqual(['submit']);
  expect(await candidates('waybill status --context=admin@127.0.0.1:9')).toEqual(['--context=admin@127.0.0.1:9443']);
});
