import { describe, expect, it } from 'vitest';
import { groups } from '../src/command-groups.ts';
import { inSections, sectionOf, sections } from '../src/command-line/command-sections.ts';
import { runCommands } from '../src/command-line/run-commands.ts';
import { commands } from '../src/commands.ts';
import { remoteCommands } from '../src/remote-commands.ts';
import { serverCommandNames } from '../src/server-commands.ts';

/** As the package runs that is installed without the server. */
async function installed(...args: readonly string[]) {
  const [out, err]: [string[], string[]] = [[], []];
  const parts = { commands: remoteCommands, groups, sections, ofServer: serverCommandNames };
  const code = await runCommands(parts, args, {
    env: {},
    out: (line) => out.push(line),
    err: (line) => err.push(line),
  });
  return { code, out: out.join('\n'), err };
}

it('the commands of a server are those that the installed package lacks', () => {
  const lacking = Object.keys(commands).filter((name) => !Object.hasOwn(remoteCommands, name));
  expect(serverCommandNames).toEqual(new Set(lacking));
});

it.each([
  ['migrate', ['migrate']],
  ['keys', ['keys', 'acme']],
  ['pgp-key', ['pgp-key']],
  ['pgp-key', ['pgp-key', 'genrate']],
  ['pgp-key generate', ['pgp-key', 'generate', 'x', '--user', 'y']],
  ['files verify', ['files', 'verify']],
  ['keys', ['help', 'keys']],
])('%s is said to be on the server', async (name, args) => {
  expect(await installed(...args)).toEqual({
    code: 2,
    out: '',
    err: [`waybill: ${name} is a command on the server of the installation only`, expect.anything(), expect.anything()],
  });
});

it.each([['fils'], ['files', 'verfy'], ['constructor'], ['__proto__'], ['files', 'constructor']])(
  'a typing error stays one: %s %s',
  async (...args) => {
    const { code, err } = await installed(...args);
    expect([code, err[0]]).toEqual([2, expect.stringContaining('unknown command')]);
  },
);

describe('the help', () => {
  it('has a heading for each command', () => {
    expect(Object.keys(commands).filter((name) => sectionOf(name, sections) === undefined)).toEqual([]);
    const words = new Set(Object.keys(commands).map((name) => name.split(' ', 1)[0]));
    const headed = Object.values(sections).flat();
    expect([headed.length, new Set(headed)]).toEqual([words.size, words]);
  });

  it('begins with what people do first', async () => {
    const { out } = await installed();
    const headings = out.match(/^\S.*:$/gmu);
    expect(headings).toEqual([
      'Options:',
      'Working with a platform:',
      'Configuration:',
      'The audit log:',
      'This program:',
    ]);
    expect(inSections(Object.entries(commands), sections)[0]?.[0]).toBe('login');
    expect((await installed('help', 'jobs')).out).toMatch(/help \[command\] +Explains one of them\.$/u);
  });
});
