import { expect, it } from 'vitest';
import { groups } from '../command-groups.ts';
import { commands } from '../commands.ts';
import { platformCommands } from '../remote-commands.ts';
import { canonicalWords, findCommand } from './find-command.ts';
import { runCommands } from './run-commands.ts';

async function waybill(...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const surroundings = { env: {}, out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
  return {
    code: await runCommands({ commands, groups }, args, surroundings),
    out: out.join('\n'),
    err: err.join('\n'),
  };
}

it.each([
  ['job abort 245', 'jobs abort'],
  ['webhooks list', 'webhook list'],
  ['workflows run', 'workflow run'],
  ['session kill', 'sessions kill'],
  // Before it was renamed, this was the name of the logins of manager users.
  ['session list', 'logins list'],
  ['session revoke 12', 'logins revoke'],
  ['sessions list', 'sessions list'],
  ['user reset-second-factor lena', 'recover-second-factor'],
  ['users reset-second-factor acme', 'users reset-second-factor'],
  ['signing-key list', 'signing-keys list'],
])('`waybill %s` is `%s`', (line, name) => {
  expect(findCommand(commands, line.split(' '))?.name).toBe(name);
});

it('an alias of a command that is not there does not become that of another user', () => {
  const words = ['user', 'reset-second-factor', 'acme'];
  expect(findCommand(platformCommands, words)).toBeUndefined();
  expect(canonicalWords(platformCommands, words)).toEqual(words);
});

it.each([['toString'], ['constructor', 'name'], ['__proto__', 'x'], ['jobs', 'toString'], ['job']])(
  'finds no command in %s',
  async (...args) => {
    expect(findCommand(commands, args)).toBeUndefined();
    expect(await waybill(...args)).toMatchObject({ code: 2, out: '' });
    expect(await waybill('help', 'jobs', ...args)).toMatchObject({ code: 2, out: '' });
  },
);

it.each([
  [
    ['jbos', 'list'],
    ["waybill: unknown command 'jbos'", 'Did you mean jobs?', '`waybill help` explains'],
  ],
  [
    ['jobs', 'lst'],
    ["waybill jobs: unknown command 'lst'", 'Did you mean list?', '`waybill help jobs` explains'],
  ],
  [
    ['help', 'job', 'lst'],
    ["waybill jobs: unknown command 'lst'", 'Did you mean list?', '`waybill help jobs`'],
  ],
  [['frobnicate'], ["waybill: unknown command 'frobnicate'", '`waybill help` explains the commands']],
  [['queue'], ['waybill queues: give a command: list, pause, resume; `waybill help queues` explains them']],
  [
    ['jobs', 'list', '--staus', 'x'],
    ["jobs list: unknown option '--staus'", '--status?', '`waybill help jobs list`'],
  ],
  [
    ['jobs', 'list', '--status', 'ERORR'],
    ["argument 'ERORR' is invalid", 'ERROR', '`waybill help jobs list`'],
  ],
  [['jobs', 'list', '--queue', '--json'], ['--queue needs a value; write `--queue=--json` if it is --json']],
  [['jobs', 'list', '--queue'], ["option '--queue <name>' argument missing"]],
  [['jobs', 'list', '--json=yes'], ["unknown option '--json=yes'"]],
  [
    ['jobs', 'show'],
    ["missing required argument 'job'", '`waybill help jobs show`'],
  ],
  [
    ['jobs', 'show', '1', '2'],
    ['too many arguments', '`waybill help jobs show`'],
  ],
  [
    ['queues', 'pause', 'Slow'],
    ["required option '--reason <text>' not specified", '`waybill help queues pause`'],
  ],
  [['--json', 'jobs', 'list'], ["unknown option '--json'"]],
])('%j: says what is wrong, what may be meant, and where the help is', async (args, parts) => {
  const { code, out, err } = await waybill(...args);
  expect({ code, out }).toEqual({ code: 2, out: '' });
  for (const part of parts) expect(err).toContain(part);
});

it('with --exit-code, 2 stays the answer that there are changes', async () => {
  expect(await waybill('plan', '--exit-code')).toMatchObject({ code: 1, err: expect.stringContaining('argument') });
});

it('helps with all commands, those of a group, and one of them', async () => {
  const all = await waybill('help');
  expect(await waybill()).toEqual(all);
  expect(await waybill('--help')).toEqual(all);
  const named = Object.keys(commands).map((name) => name.split(' '));
  for (const [first = '', verb] of named) {
    expect(all.out).toMatch(new RegExp(`^ {2}${first}( |$)`, 'mu'));
    if (verb !== undefined) expect((await waybill('help', first)).out).toMatch(new RegExp(`^ {2}${verb}( |$)`, 'mu'));
  }
  expect(await waybill('queues', '--help')).toEqual(await waybill('help', 'queue'));
  const one = await waybill('help', 'job', 'abort');
  expect(one).toEqual(await waybill('jobs', 'abort', '--help'));
  expect(one.out).toMatch(
    /^Usage: waybill jobs abort [\s\S]*--context <name>[\s\S]*Examples:\n {2}waybill jobs abort 245/u,
  );
  expect((await waybill('secret', 'new-key', '--help')).out).not.toContain('--context');
});

it.each(Object.entries(commands))('the help of %s explains each argument and option, in one sentence', async (name) => {
  const { code, out } = await waybill('help', ...name.split(' '));
  expect(code).toBe(0);
  const help = out.slice(0, out.indexOf('\nExamples:'));
  const explanations = [...help.matchAll(/^ {2}\S.*? {2,}(\S.*(?:\n {6,}\S.*)*)/gmu)].map(([, text = '']) => text);
  expect(explanations.length).toBe([...help.matchAll(/^ {2}\S/gmu)].length);
  for (const text of explanations) expect(text.replaceAll(/\s+/gu, ' ')).toMatch(/^[A-Z<].*\.(?: \(.*\))?$/u);
});

it('shows defaults and choices, and takes choices in any case', async () => {
  const { out } = await waybill('help', 'audit', 'export');
  expect(out.replaceAll(/\s+/gu, ' ')).toContain('(choices: "ndjson", "csv", "cef", "ocsf", default: "ndjson")');
  expect(await waybill('explain', 'acme', 'fly', '/', '--protocol', 'SFTP')).toMatchObject({
    code: 2,
    err: expect.stringContaining('the operation is one of'),
  });
});
