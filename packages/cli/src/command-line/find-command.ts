import { nearestName } from '@waybill/contracts/errors/nearest-name';
import type { CommandTable } from '../command.ts';

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
export function findCommand(table: CommandTable, args: readonly string[]) {
  const [group = '', verb = ''] = args;
  const two = `${group} ${verb}`;
  const otherGroup = group.endsWith('s') ? group.slice(0, -1) : `${group}s`;
  // An alias stands for one command, also where the table does not have it: it never becomes another one.
  const names = Object.hasOwn(aliases, two) ? [two, aliases[two] ?? ''] : [two, group, `${otherGroup} ${verb}`];
  for (const name of names) {
    const command = Object.hasOwn(table, name) ? table[name] : undefined;
    if (command) return { name, command, rest: args.slice(name === group ? 1 : 2) };
  }
  return undefined;
}

/** The commands of a group, such as those of `jobs`; the group may be in the singular or the plural. */
export function commandsOfGroup(table: CommandTable, group: string): CommandTable {
  const plain = group.replace(/s$/u, '');
  const isOfGroup = (name: string): boolean => {
    const [first = '', second] = name.split(' ');
    return first === group || (second !== undefined && first.replace(/s$/u, '') === plain);
  };
  return Object.fromEntries(Object.entries(table).filter(([name]) => isOfGroup(name)));
}

/** What is wrong with arguments that begin with no command, in one sentence that says what to do. */
export function unknownCommand(table: CommandTable, [group = '', verb]: readonly string[]): string {
  const verbs = Object.keys(commandsOfGroup(table, group)).flatMap((name) => name.split(' ').slice(1));
  if (verbs.length > 0 && (verb === undefined || verb.startsWith('-')))
    return `give a command of ${group}: ${verbs.join(', ')}; \`waybill help ${group}\` explains them`;
  const wrong = verbs.length > 0 ? `${group} ${verb ?? ''}` : group;
  const near = verbs.length > 0 ? nearestName(verb ?? '', verbs) : nearestName(group, groupsOf(table));
  const meant = near === undefined ? '' : `; did you mean \`waybill ${verbs.length > 0 ? `${group} ${near}` : near}\`?`;
  return `unknown command ${wrong}${meant || `; \`waybill help${verbs.length > 0 ? ` ${group}` : ''}\` lists the commands`}`;
}

function groupsOf(table: CommandTable): Set<string> {
  return new Set(Object.keys(table).map((name) => name.split(' ', 1)[0] ?? ''));
}
