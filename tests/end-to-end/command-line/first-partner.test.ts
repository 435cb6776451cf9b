import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestFolder } from '@waybill/test-kit/create-test-folder';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type PlatformProcess, startPlatformProcess } from '../platform-process.ts';
import { blocksOf, compared, normalised, withOutputs } from './transcript.ts';
import { environmentIn } from './waybill.ts';

const run = promisify(execFile);
const page = fileURLToPath(new URL('../../../docs/first-partner.md', import.meta.url));
const main = fileURLToPath(new URL('../../../packages/cli/src/main.ts', import.meta.url));
const resources = new AsyncDisposableStack();
let platform: PlatformProcess;
let home: string;

beforeAll(async () => {
  home = resources.use(await createTestFolder()).path;
  const configuration = join(home, 'platform.yaml');
  await writeFile(configuration, emptyPlatformOf(await readFile(page, 'utf8')));
  platform = resources.use(await startPlatformProcess({ WAYBILL_CONFIGURATION: configuration }));
  await writeFile(join(home, 'waybill'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`, { mode: 0o755 });
  await writeFile(join(home, 'password.txt'), 'a long first password\n');
});
afterAll(() => resources.disposeAsync());

/** The configuration that the page begins with: an administrator without a password, and servers. */
function emptyPlatformOf(text: string): string {
  const [, configuration] = /^```yaml\n(.*?)^```$/msu.exec(text) ?? [];
  if (configuration === undefined)
    throw new Error('docs/first-partner.md does not show the configuration to start with');
  return configuration;
}

/** Set it to write what the commands print into the page. */
const renewed = process.env['RENEW_TRANSCRIPT'] === '1';
const end = '== end of a block ==';

/** Runs the blocks of commands in one shell, and returns what each has printed, as a person sees it. */
async function outputsOf(blocks: readonly string[], env: Readonly<Record<string, string>>): Promise<string[]> {
  const script = blocks.map((commands) => `${commands}\nprintf '%s\\n' '${end}'\n`).join('');
  const { stdout } = await run('bash', ['--norc', '-euo', 'pipefail', '-c', `exec 2>&1\n${script}`], {
    cwd: home,
    env,
  });
  return stdout.split(`${end}\n`).slice(0, -1);
}

it('docs/first-partner.md has no name of the demo, on which it works, too', async () => {
  const demo = await readFile(new URL('../../../deploy/demo/platform.yaml', import.meta.url), 'utf8');
  const namesIn = (text: string): string[] =>
    [...text.matchAll(/\bname"?: ?"?([\w-]+)/gu)].map(([, name = '']) => name);
  // What the page has after the configuration that it begins with, and the demo instead of that.
  const [, created = ''] = /```yaml[\s\S]*?```([\s\S]*)/u.exec(await readFile(page, 'utf8')) ?? [];
  expect(namesIn(created)).toContain('hooli');
  expect(namesIn(created).filter((name) => namesIn(demo).includes(name))).toEqual([]);
});

it('docs/first-partner.md leads from an empty platform to an upload by key, and prints what it shows', async () => {
  const [, code = ''] = / --code (\S+)/u.exec(platform.printed()) ?? [];
  expect(code).not.toBe('');
  const text = await readFile(page, 'utf8');
  const blocks = blocksOf(text);
  expect(blocks.length).toBeGreaterThan(20);
  const env = {
    ...environmentIn(home),
    PATH: `${home}:${process.env['PATH']}`,
    URL: platform.url,
    SFTP_PORT: String(platform.sftpPort),
    CODE: code,
    ANN_PASSWORD: 'the first password of ann',
  };
  const printed = await outputsOf(
    blocks.map(({ commands }) => commands),
    env,
  );
  const known = [
    [platform.url, 'https://waybill.example:9443'],
    [new URL(platform.url).host, 'waybill.example:9443'],
    [home, '~'],
  ] as const;
  const outputs = printed.map((output) => normalised(output, known));
  if (renewed) await writeFile(page, withOutputs(text, outputs));
  expect(outputs.map(compared)).toEqual(blocksOf(await readFile(page, 'utf8')).map(({ shown }) => compared(shown)));
});
