import { describe, expect, it } from 'vitest';
import { understoodBy } from '../tests/understood-by.ts';
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
  it.each(plain)('has an example that the command understands: %s', async (example) => {
    const words = wordsOf(example.replace(/^echo .*\| /u, ''));
    await expect(understoodBy(commands, words.slice(1))).resolves.toEqual({ code: 0, name });
  });
});
