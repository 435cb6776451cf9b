import { parseArgs } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { Command } from './command.ts';
import { commands } from './commands.ts';

const table: readonly [name: string, command: Command][] = Object.entries(commands);

/** The words of a command line before a pipe or a redirection, as a shell reads them. */
function wordsOf(line: string): string[] {
  const words = [...line.matchAll(/'([^']*)'|[|<>]|[^\s'|<>]+/gu)].map(([word, quoted]) => quoted ?? word);
  const end = words.findIndex((word) => /^[|<>]$/u.test(word));
  return end === -1 ? words : words.slice(0, end);
}

describe.each(table)('the help of waybill %s', (name, command) => {
  it('has an example', () => expect(command.examples ?? []).not.toEqual([]));

  // Those of `completion` are for a shell, around the command.
  const plain = (command.examples ?? []).filter((example) => /^(?:echo .*\| )?waybill /u.test(example));
  it.each(plain)('has an example that the command understands: %s', (example) => {
    const words = wordsOf(example.replace(/^echo .*\| /u, ''));
    const title = ['waybill', ...name.split(' ')];
    expect(words.slice(0, title.length)).toEqual(title);
    const { positionals } = parseArgs({
      args: words.slice(title.length),
      options: command.options ?? {},
      allowPositionals: true,
      strict: true,
    });
    const most = command.positionals.length + (command.optionalPositionals?.length ?? 0);
    expect(positionals.length).toBeGreaterThanOrEqual(command.positionals.length);
    expect(positionals.length).toBeLessThanOrEqual(most);
  });
});
