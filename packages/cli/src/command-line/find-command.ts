import type { Command, CommandTable } from '../command.ts';

/** Names that commands had before, or that people expect, and the names that they have. */
const aliases: Readonly<Record<string, string>> = {
  'session list': 'logins list',
  'session revoke': 'logins revoke',
  'user reset-second-factor': 'recover-second-factor',
};

/**
 * The command that the arguments begin with, and the rest of them. A group can be named in the singular and in the plural:
 * `waybill job list` is `waybill jobs list`.
 */
export function findCommand(
  table: CommandTable,
  args: readonly string[],
): { readonly name: string; readonly command: Command; readonly rest: readonly string[] } | undefined {
  const words = canonicalWords(table, args);
  const [first = '', second = ''] = words;
  for (const [name, length] of [[`${first} ${second}`, 2] as const, [first, 1] as const]) {
    const command = Object.hasOwn(table, name) ? table[name] : undefined;
    if (command) return { name, command, rest: words.slice(length) };
  }
  return undefined;
}

/** The arguments with the name that the table has for their command or their group. */
export function canonicalWords(table: CommandTable, args: readonly string[]): readonly string[] {
  const [group = '', verb = '', ...rest] = args;
  if (group === '--version') return ['version', ...args.slice(1)];
  const two = `${group} ${verb}`;
  if (Object.hasOwn(aliases, two)) {
    const name = aliases[two] ?? '';
    // An alias stands for one command, also where the table does not have it: it never becomes another one.
    return Object.hasOwn(table, name) ? [...name.split(' '), ...rest] : args;
  }
  const known = new Set(Object.keys(table).map((name) => name.split(' ', 1)[0]));
  const other = group.endsWith('s') ? group.slice(0, -1) : `${group}s`;
  return !known.has(group) && known.has(other) ? [other, ...args.slice(1)] : args;
}
