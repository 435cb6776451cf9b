import { PassThrough } from 'node:stream';
import { expect, it } from 'vitest';
import { type Command, exitCodes } from '../command.ts';
import { askSecretly } from './ask-secretly.ts';
import { runCommands } from './run-commands.ts';

/** What a person types at the question, and what the terminal shows. */
async function ask(typed: string, end = false): Promise<readonly [answer: string, shown: string]> {
  const [input, output] = [new PassThrough(), new PassThrough()];
  const answer = askSecretly('Password: ', { input, output });
  input.write(typed);
  if (end) input.end();
  return [await answer, String(output.read())];
}

it('returns what is typed, and shows the question alone', async () => {
  expect(await ask('a secret\r')).toEqual(['a secret', 'Password: \n']);
});

it.each([
  ['Ctrl-C', '\u0003', false],
  ['Ctrl-D', '\u0004', false],
  ['Ctrl-C within an answer', 'half\u0003', false],
  ['a terminal that is gone', '', true],
])('%s ends the command with one sentence and exit code 130', async (_, typed, end) => {
  const command: Command = {
    summary: '',
    examples: [],
    run: async ({ out }) => out((await ask(typed, end))[0]),
  };
  const [out, err]: [string[], string[]] = [[], []];
  const surroundings = { env: {}, out: (line: string) => out.push(line), err: (line: string) => err.push(line) };
  const code = await runCommands({ commands: { login: command }, groups: {} }, ['login'], surroundings);
  expect([code, out, err]).toEqual([exitCodes.interrupted, [], ['waybill login: ended at a question']]);
});
