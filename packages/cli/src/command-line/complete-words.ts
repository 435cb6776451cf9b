import type { Command, CommandTable, Surroundings } from '../command.ts';
import { openContextStore } from '../platform/contexts.ts';
import { printable } from '../platform/render-table.ts';
import { canonicalWords, findCommand } from './find-command.ts';

/** The commands whose argument is a context. */
const ofContexts: ReadonlySet<string> = new Set(['context use', 'context remove']);

type Environment = Pick<Surroundings, 'env'>;

/**
 * What can stand in place of the last word, which is being typed, after the others. Nothing: let the shell complete files.
 * It never fails: a shell shows no errors.
 */
export async function completeWords(
  table: CommandTable,
  words: readonly string[],
  surroundings: Environment,
): Promise<string[]> {
  const typed = words.at(-1) ?? '';
  const before = words.slice(0, -1);
  const found = await candidates(table, { before, typed }, surroundings);
  return [...new Set(found)].filter((word) => word.startsWith(typed));
}

interface Line {
  readonly before: readonly string[];
  readonly typed: string;
}

async function candidates(table: CommandTable, { before, typed }: Line, surroundings: Environment): Promise<string[]> {
  const [first] = before;
  if (first === undefined)
    return [...Object.keys(table).map((name) => name.split(' ', 1)[0] ?? ''), 'help', '--version'];
  if (first === 'help')
    return before.length === 1
      ? await candidates(table, { before: [], typed }, surroundings)
      : verbsAfter(table, before.slice(1));
  const named = findCommand(table, before);
  if (!named) return verbsAfter(table, before);
  const { name, command, rest } = named;
  if (ofContexts.has(name) && rest.length === 0) return await contextNames(surroundings);
  const [, option = '', value] = /^--([^=]+)=(.*)$/su.exec(typed) ?? [];
  if (value !== undefined) {
    const values = (await valuesOf(command, option, surroundings)) ?? [];
    return values.map((each) => `--${option}=${each}`);
  }
  const last = rest.at(-1) ?? '';
  const values = last.startsWith('--') ? await valuesOf(command, last.slice(2), surroundings) : undefined;
  if (values) return values;
  return [...argumentsOf(command, positionalsIn(command, rest)), ...optionsOf(command, rest)];
}

/** The second words of the commands of a group, if that is all that was typed. */
function verbsAfter(table: CommandTable, before: readonly string[]): string[] {
  const [group, ...rest] = canonicalWords(table, before);
  if (rest.length > 0) return [];
  return Object.keys(table).flatMap((name) => (name.startsWith(`${group} `) ? name.split(' ').slice(1) : []));
}

/** The values of an option; `undefined` if it has none. */
async function valuesOf(command: Command, option: string, surroundings: Environment): Promise<string[] | undefined> {
  const { options = {} } = command;
  const about = Object.hasOwn(options, option) ? options[option] : undefined;
  if (about?.value === undefined) return undefined;
  if (option === 'context') return await contextNames(surroundings);
  return [...(about.choices ?? [])];
}

function optionsOf({ options = {} }: Command, before: readonly string[]): string[] {
  return [...Object.keys(options), 'help']
    .map((name) => `--${name}`)
    .filter((name) => !before.includes(name) || options[name.slice(2)]?.isRepeatable === true);
}

/** The values of the argument that is next. */
function argumentsOf(
  { arguments: required = {}, optionalArguments = {}, words = {} }: Command,
  given: number,
): readonly string[] {
  return words[Object.keys({ ...required, ...optionalArguments })[given] ?? ''] ?? [];
}

/** How many arguments without dashes are among the words after the name of a command. */
function positionalsIn({ options = {} }: Command, rest: readonly string[]): number {
  const isValue = (at: number): boolean => options[rest[at - 1]?.replace(/^--/u, '') ?? '']?.value !== undefined;
  return rest.filter((word, at) => !word.startsWith('--') && !isValue(at)).length;
}

async function contextNames(surroundings: Environment): Promise<string[]> {
  try {
    // What a terminal cannot show would not be completed as it is.
    const names = Object.keys((await openContextStore(surroundings).read()).contexts);
    return names.filter((name) => printable(name) === name);
  } catch {
    return [];
  }
}
