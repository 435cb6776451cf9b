import { expect, it } from 'vitest';
import { commands } from '../commands.ts';
import { platformCommands } from '../remote-commands.ts';
import { describeTopic } from './describe-commands.ts';
import { findCommand, unknownCommand } from './find-command.ts';
import { runCommands } from './run-commands.ts';

async function waybill(...args: string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const surroundings = { env: {}, out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
  return { code: await runCommands({ commands }, args, surroundings), out: out.join('\n'), err: err.join('\n') };
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
  expect(findCommand(platformCommands, ['user', 'reset-second-factor', 'acme'])).toBeUndefined();
});

it.each([['toString'], ['constructor', 'name'], ['__proto__', 'x'], ['jobs', 'toString'], ['job']])(
  'finds no command in %s',
  (...args) => {
    expect(findCommand(commands, args)).toBeUndefined();
  },
);

it.each([
  [['jbos', 'list'], 'unknown command jbos; did you mean `waybill jobs`?'],
  [['jobs', 'lst'], 'unknown command jobs lst; did you mean `waybill jobs list`?'],
  [['jobs', 'frobnicate'], 'unknown command jobs frobnicate; `waybill help jobs` lists the commands'],
  [['frobnicate'], 'unknown command frobnicate; `waybill help` lists the commands'],
  [['queues'], 'give a command of queues: list, pause, resume; `waybill help queues` explains them'],
])('%j: says what may be meant', async (args, sentence) => {
  expect(unknownCommand(commands, args)).toBe(sentence);
  expect(await waybill(...args)).toEqual({ code: 2, out: '', err: `waybill: ${sentence}` });
});

it('helps with all commands, those of a group, and one of them', async () => {
  const names = (lines: readonly string[] = []) =>
    lines.flatMap((line) => /^ {2}([a-z-]+(?: [a-z-]+)?)(?= |$)/u.exec(line)?.[1] ?? []);
  expect(names(describeTopic(commands, [])).length).toBe(Object.keys(commands).length);
  expect(names(describeTopic(commands, ['queue']))).toEqual(['queues list', 'queues pause', 'queues resume']);
  expect(await waybill('queues', '--help')).toEqual(await waybill('help', 'queues'));
  const one = await waybill('help', 'jobs', 'abort');
  expect(one).toEqual(await waybill('jobs', 'abort', '--help'));
  expect(one.out).toMatch(/^waybill jobs abort [\s\S]*--context <name>[\s\S]*Examples:\n {2}waybill jobs abort 245/u);
  expect((await waybill('secret', 'new-key', '--help')).out).not.toContain('--context');
  expect(await waybill('help', 'jobs', 'lst')).toMatchObject({ code: 2, err: expect.stringContaining('jobs list') });
});
