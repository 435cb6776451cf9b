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
}, 120_000);
afterAll(() => folder.remove());

async function script(shell: string): Promise<string> {
  return (await run('waybill', ['completion', shell], inFolder())).stdout;
}

it('zsh completes commands, values of options and files, from the first time on', async () => {
  await writeFile(path.join(folder.path, '_waybill'), await script('zsh'));
  const typed = [
    'waybill jobs resum',
    'waybill jobs list --status RU',
    'waybill completion fi',
    'waybill files put mar',
  ];
  const { stdout } = await run(
    'zsh',
    ['-f', path.join(import.meta.dirname, 'complete-with-zsh.zsh'), ...typed],
    inFolder(),
  );
  expect(stdout.split('\n')).toEqual([
    'waybill jobs resume ',
    'waybill jobs list --status RUNNING ',
    'waybill completion fish ',
    'waybill files put march.csv ',
    '',
  ]);
});

it('zsh completes with a script that is read by its start-up file, too', async () => {
  const read = path.join(folder.path, 'read');
  await mkdir(read);
  await writeFile(path.join(read, 'completion.zsh'), await script('zsh'));
  const ask = `autoload -Uz compinit; compinit -u -D; source ${read}/completion.zsh; print -r -- $_comps[waybill]`;
  expect((await run('zsh', ['-f', '-c', ask], inFolder())).stdout).toBe('_waybill\n');
});

it('fish completes commands, values of options and files, and nothing else', async () => {
  await writeFile(path.join(folder.path, 'waybill.fish'), await script('fish'));
  const complete = async (line: string): Promise<string[]> => {
    const ask = `source waybill.fish; complete -C '${line}'`;
    const { stdout } = await run('fish', ['--no-config', '-c', ask], inFolder());
    return stdout.split('\n').filter((word) => word !== '');
  };
  expect(await complete('waybill jobs re')).toEqual(['resubmit', 'resume']);
  expect(await complete('waybill jobs list --status R')).toEqual(['RUNNING']);
  expect(await complete('waybill completion ')).toEqual(['bash', 'fish', 'zsh', '--help']);
  expect(await complete('waybill files put mar')).toEqual(['march.csv']);
});
