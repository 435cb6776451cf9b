import type { Command } from '../command.ts';

/** A set of commands by name, each of one or two words. */
export type CommandTable = Readonly<Record<string, Command>>;

/** The command that the arguments begin with, and the rest of them. */
export function findCommand(table: CommandTable, args: readonly string[]) {
  for (const words of [2, 1]) {
    const name = args.slice(0, words).join(' ');
    const command = Object.hasOwn(table, name) ? table[name] : undefined;
    if (command) return { name, command, rest: args.slice(words) };
  }
  return undefined;
}
