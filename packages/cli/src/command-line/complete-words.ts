import type { Command, CommandTable, Surroundings } from '../command.ts';
import { openContextStore } from '../platform/contexts.ts';

/**
 * What can stand in place of the last word, which is being typed, after the others. Nothing: let the shell complete files.
 * It never fails: a shell shows no errors.
 */
export async function completeWords(
  table: CommandTable,
  words: readonly string[],
  surroundings: Pick<Surroundings, 'env'>,
): Promise<string[]> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const found = await candidates(table, before, surroundings);
  return [...new Set(found)].filter((word) => word.startsWith(typed));
}

async function candidates(table: CommandTable, before: readonly string[], surroundings: Pick<Surroundings, 'env'>) {
  const names = Object.keys(table).map((name) => name.split(' '));
  const [first, second] = before;
  if (first === undefined) return [...names.map(([word = '']) => word), 'help'];
  const command = table[`${first} ${second ?? ''}`] ?? table[first];
  if (!command) return before.length === 1 ? names.filter(([word]) => word === first).map((name) => name[1] ?? '') : [];
  const seconds = before.length === 1 ? names.filter(([word, next]) => word === first && next !== undefined) : [];
  const last = before.at(-1) ?? '';
  if (first === 'context' && second === 'use' && before.length === 2) return contextNames(surroundings);
  if (last.startsWith('--')) {
    const values = await valuesOf(command, last.slice(2), surroundings);
    if (values) return values;
  }
  const given = positionalsIn(command, before.slice(table[`${first} ${second ?? ''}`] ? 2 : 1));
  return [...seconds.map((name) => name[1] ?? ''), ...optionsOf(command, before), ...argumentsOf(command, given)];
}

/** The values of the option that was typed last; `undefined` if it has none. */
async function valuesOf(command: Command, option: string, surroundings: Pick<Surroundings, 'env'>) {
  if (command.options?.[option]?.type !== 'string') return undefined;
  if (option === 'context') return contextNames(surroundings);
  return [...(command.choices?.[option] ?? [])];
}

function optionsOf({ options = {} }: Command, before: readonly string[]): string[] {
  return [...Object.keys(options), 'help']
    .map((name) => `--${name}`)
    .filter((name) => !before.includes(name) || options[name.slice(2)]?.multiple === true);
}

/** The values of the argument that is next. `bash|zsh|fish` in the usage of a command are its words. */
function argumentsOf({ usage, positionals, words }: Command, given: number): readonly string[] {
  if (/^\w+(?:\|\w+)+$/u.test(usage)) return usage.split('|');
  return words?.[positionals[given] ?? ''] ?? [];
}

/** How many arguments without dashes are among the words after the name of a command. */
function positionalsIn({ options = {} }: Command, rest: readonly string[]): number {
  const isValue = (at: number): boolean => options[rest[at - 1]?.replace(/^--/u, '') ?? '']?.type === 'string';
  return rest.filter((word, at) => !word.startsWith('--') && !isValue(at)).length;
}

async function contextNames(surroundings: Pick<Surroundings, 'env'>): Promise<string[]> {
  try {
    return Object.keys((await openContextStore(surroundings).read()).contexts);
  } catch {
    return [];
  }
}
