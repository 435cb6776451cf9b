import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { createTestFolder, type TestFolder } from '@waybill/test-kit/create-test-folder';
import { runInProcess } from '@waybill/test-kit/processes/run-in-process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommands } from '../src/command-line/run-commands.ts';
import type { CommandTable } from '../src/command.ts';
import { commands } from '../src/commands.ts';
import { remoteCommands } from '../src/remote-commands.ts';
import { runCommandLine } from '../src/run-command-line.ts';

/** Nothing listens at any of these addresses: a command says what it is about before it asks. */
const [here, elsewhere] = ['http://127.0.0.1:8', 'http://127.0.0.1:9'];
const database = { DATABASE_URL: 'postgresql://waybill:hunter2@127.0.0.1:1/files', DATABASE_PLATFORM: here };

let folder: TestFolder;
let file: string;
beforeAll(async () => {
  folder = await createTestFolder();
  file = path.join(folder.path, 'platform.yaml');
  await writeFile(file, 'source: team\nactors: []\n');
});
afterAll(() => folder.remove());

/** A home where `admin` has logged in, or out, at an address. */
async function homeOf(url: string, tokens: object | undefined, name = 'prod'): Promise<string> {
  const home = path.join(folder.path, `home-${Math.random()}`);
  await mkdir(path.join(home, '.config', 'waybill'), { recursive: true });
  const contexts = { [name]: { side: 'manager', url, user: 'admin', tokens } };
  const text = JSON.stringify({ current: { manager: name }, contexts });
  await writeFile(path.join(home, '.config', 'waybill', 'contexts.json'), text, { mode: 0o600 });
  return home;
}

const tokens = { accessToken: 'x.y.z', refreshToken: 'r', expiresAt: Date.now() + 3_600_000 };

async function waybill(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const { code, err } = await runInProcess(runCommandLine, args, { env });
  expect(err).not.toContain('hunter2');
  return { code, lines: err.split('\n') };
}

describe.each(['plan', 'apply', 'export', 'secret list', 'ssh-key list'])('%s', (name) => {
  const args = () => [...name.split(' '), ...(['plan', 'apply'].includes(name) ? [file] : [])];

  it('refuses the database of another platform than that of the login, and says how to go on', async () => {
    const HOME = await homeOf(elsewhere, tokens);
    expect(await waybill({ ...database, HOME }, ...args())).toEqual({
      code: 2,
      lines: [
        `waybill ${name}: the current login is at ${elsewhere}, but the environment has the database of ${here}: name the platform with --context prod, or log out with \`waybill logout --context prod\` to use the database`,
        '',
      ],
    });
  });

  it('refuses the database of another platform than WAYBILL_URL', async () => {
    const { code, lines } = await waybill({ ...database, WAYBILL_URL: elsewhere }, ...args());
    expect([code, lines[0]]).toEqual([2, expect.stringContaining(`name the platform with --url ${elsewhere}`)]);
  });

  it.each([
    ['of the same platform', () => homeOf(here, tokens)],
    ['of the same platform by another name', () => homeOf('http://localhost:8/', tokens)],
    ['that has ended', () => homeOf(elsewhere, undefined)],
    ['of nobody', async () => path.join(folder.path, 'nobody')],
  ])('uses the database with a login %s', async (_, home) => {
    const { code, lines } = await waybill({ ...database, HOME: await home() }, ...args());
    expect([code, lines.join('\n')]).toEqual([
      1,
      expect.stringContaining('database at DATABASE_URL cannot be reached'),
    ]);
  });
});

it.each(['constructor', 'a\u001B[2Jb'])('a context with the name %j is no way around it', async (name) => {
  const HOME = await homeOf(elsewhere, tokens, name);
  expect((await waybill({ ...database, HOME }, 'plan', file)).code).toBe(2);
});

describe('the first line names the target', () => {
  it.each(['plan', 'apply', 'export'])('%s: of a database', async (name) => {
    const args = name === 'export' ? [name] : [name, file];
    expect((await waybill(database, ...args)).lines[0]).toBe(`Target: the database of ${here} (files at 127.0.0.1:1)`);
    const { DATABASE_URL } = database;
    expect((await waybill({ DATABASE_URL }, ...args)).lines[0]).toBe('Target: the database files at 127.0.0.1:1');
  });

  it.each(['plan', 'apply', 'export', 'drift'])('%s: of a login, and of an address', async (name) => {
    const args = ['plan', 'apply'].includes(name) ? [name, file] : [name];
    const HOME = await homeOf(elsewhere, tokens);
    expect((await waybill({ HOME }, ...args)).lines[0]).toBe('Target: admin@127.0.0.1:9');
    expect((await waybill({ ...database, HOME }, ...args, '--context', 'prod')).lines[0]).toBe(
      'Target: admin@127.0.0.1:9',
    );
    const WAYBILL_TOKEN = 'a-token';
    expect((await waybill({ HOME, WAYBILL_TOKEN }, ...args, '--url', here)).lines[0]).toBe(`Target: ${here}`);
  });

  it('but not in output for scripts', async () => {
    const HOME = await homeOf(elsewhere, tokens);
    expect((await waybill({ HOME }, 'drift', '--json')).lines.join('\n')).not.toContain('Target');
  });
});

it('the help says which platform is used: also that of a database where the program can use one', async () => {
  const helpOf = async (commands: CommandTable): Promise<string> => {
    const lines: string[] = [];
    const surroundings = { env: {}, out: (line: string) => lines.push(line), err: () => undefined };
    await runCommands({ commands, groups: {} }, ['plan', '--help'], surroundings);
    return lines.join(' ').replaceAll(/\s+/gu, ' ');
  };
  expect(await helpOf(commands)).toContain('Without --url and --context it is the database of DATABASE_URL');
  expect(await helpOf(remoteCommands)).toContain('unless it is that of WAYBILL_URL or the current login:');
});
