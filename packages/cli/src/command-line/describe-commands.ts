import type { Command, CommandTable } from '../command.ts';
import { commandsOfGroup, findCommand } from './find-command.ts';

/** The help of `waybill help <words>`: that of a command, of a group, or of all; `undefined` if the words name nothing. */
export function describeTopic(table: CommandTable, words: readonly string[]): string[] | undefined {
  const [group] = words;
  if (group === undefined) return describeAll(table);
  const found = findCommand(table, words);
  if (found && found.rest.length === 0) return describeCommand(found.name, found.command);
  const commands = commandsOfGroup(table, group);
  return words.length === 1 && Object.keys(commands).length > 0 ? listOf(commands) : undefined;
}

/** The help of one command. */
export function describeCommand(name: string, { usage, summary, options = {}, examples = [] }: Command): string[] {
  return [
    `waybill ${name}${usage && ` ${usage}`}`,
    summary,
    ...(Object.hasOwn(options, 'context') ? platformLines(Object.hasOwn(options, 'token')) : []),
    ...(examples.length === 0 ? [] : ['', 'Examples:', ...examples.map((example) => `  ${example}`)]),
  ];
}

function platformLines(takesToken: boolean): string[] {
  return [
    '',
    'The platform, unless it is that of the current login:',
    '  --context <name>   that of another `waybill login`',
    ...(takesToken
      ? [
          '  --url <platform>   this address, with the access token in the file of --token, or in WAYBILL_TOKEN',
          '  --ca <file>        a certificate that is trusted besides the usual authorities',
        ]
      : []),
  ];
}

function describeAll(table: CommandTable): string[] {
  return [
    'waybill <command>',
    '',
    '`waybill help <command>` explains a command with examples, and `waybill help jobs` those that begin with `jobs`.',
    '',
    ...listOf(table),
  ];
}

function listOf(commands: CommandTable): string[] {
  return Object.entries(commands).flatMap(([name, { usage, summary }]) => [
    `  ${name}${usage && ` ${usage}`}`,
    `      ${summary}`,
  ]);
}
