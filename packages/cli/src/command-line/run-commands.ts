import { parseArgs } from 'node:util';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { isPlatformError, type PlatformError } from '@waybill/platform-client/platform-error';
import {
  type Command,
  CommandFailed,
  type CommandTable,
  ExitCode,
  exitCodes,
  Interrupted,
  type Invocation,
  Refused,
  type Surroundings,
  UsageError,
} from '../command.ts';
import { completeWords } from './complete-words.ts';
import { describeCommand, describeTopic } from './describe-commands.ts';
import { findCommand, unknownCommand } from './find-command.ts';

/** What a program adds to its commands. */
export interface CommandLineParts {
  readonly commands: CommandTable;
  /** Reports an error that only this program knows; `undefined` for any other. */
  readonly explain?: (error: unknown) => { readonly code: number; readonly lines: readonly string[] } | undefined;
}

/** Runs one of the commands with the arguments after the program's name, and returns its exit code. */
export async function runCommands(
  parts: CommandLineParts,
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { out, err } = surroundings;
  const [name = ''] = args;
  if (['', 'help', '--help', '-h'].includes(name))
    return help(parts, name === 'help' ? args.slice(1) : [], surroundings);
  if (name === '__complete') {
    for (const word of await completeWords(parts.commands, args.slice(1), surroundings)) out(word);
    return exitCodes.done;
  }
  const named = findCommand(parts.commands, args);
  if (!named) {
    if (args[1] === '--help' || args[1] === '-h') return help(parts, [name], surroundings);
    err(`waybill: ${unknownCommand(parts.commands, args)}`);
    return exitCodes.misused;
  }
  const { command, rest } = named;
  if (rest.includes('--help') || rest.includes('-h')) {
    for (const line of describeCommand(named.name, command)) out(line);
    return exitCodes.done;
  }
  try {
    await command.run({ ...surroundings, ...understand(command, rest) });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof ExitCode) return error.code;
    const code = report(error, `waybill ${named.name}`, parts, surroundings);
    // There, 2 says that there are changes.
    return code === exitCodes.misused && rest.includes('--exit-code') ? exitCodes.failed : code;
  }
}

function help({ commands }: CommandLineParts, topic: readonly string[], { out, err }: Surroundings): number {
  const lines = describeTopic(commands, topic);
  for (const line of lines ?? []) out(line);
  if (!lines) err(`waybill help: ${unknownCommand(commands, topic)}`);
  return lines ? exitCodes.done : exitCodes.misused;
}

function understand(command: Command, args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: command.takesDashes ? withOptionsFirst(args, command.options) : [...args],
      options: command.options ?? {},
      allowPositionals: true,
      strict: true,
    });
    const { positionals: required, optionalPositionals: optional = [] } = command;
    if (positionals.length < required.length || positionals.length > required.length + optional.length)
      throw new UsageError(`give ${command.usage || 'no arguments'}`);
    return { ...splitLists(values), positionals };
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(firstSentence(error.message));
    throw error;
  }
}

function splitLists(given: Readonly<Record<string, unknown>>): Pick<Invocation, 'values' | 'lists'> {
  const values: Record<string, string | boolean> = {};
  const lists: Record<string, readonly string[]> = {};
  for (const [name, value] of Object.entries(given)) {
    if (Array.isArray(value)) lists[name] = value.map(String);
    else if (typeof value === 'string' || typeof value === 'boolean') values[name] = value;
  }
  return { values, lists };
}

function withOptionsFirst(args: readonly string[], options: Command['options'] = {}): string[] {
  const isOption = (arg: string): boolean => arg.startsWith('--') && Object.hasOwn(options, arg.slice(2));
  return [...args.filter(isOption), '--', ...args.filter((arg) => !isOption(arg))];
}

function report(
  error: unknown,
  who: string,
  { explain, commands }: CommandLineParts,
  { err, interruption }: Surroundings,
): number {
  const ending = endingOf(error, interruption);
  if (ending !== undefined) return ending;
  if (error instanceof UsageError) {
    err(`${who}: ${error.message}`);
    return exitCodes.misused;
  }
  if (error instanceof Interrupted) {
    err(`${who}: ${error.message}`);
    return exitCodes.interrupted;
  }
  if (error instanceof Refused) return reportLines(exitCodes.refused, [error.message, ...error.lines], who, err);
  const explained = explain?.(error);
  if (explained) return reportLines(explained.code, explained.lines, who, err);
  if (isPlatformError(error)) return reportPlatformError(error, { who, commands, err });
  if (isCodedError(error) && error.fields.length > 0) reportFields(error.fields, who, err);
  else if (isCodedError(error) || error instanceof CommandFailed) err(`${who}: ${error.message}`);
  else err(`${who}: ${stackOf(error)}`);
  return exitCodes.failed;
}

/** The exit code if the command was ended from outside: it was interrupted, or its output is not read any longer. */
function endingOf(error: unknown, interruption: Surroundings['interruption']): number | undefined {
  if (error instanceof Error && 'code' in error && error.code === 'EPIPE') return exitCodes.done;
  const reason: unknown = interruption?.().reason;
  if (reason === undefined) return undefined;
  if (error !== reason && !(error instanceof Error && error.name === 'AbortError')) return undefined;
  return reason === 'unread' ? exitCodes.done : exitCodes.interrupted;
}

function reportLines(
  code: number,
  [first = '', ...others]: readonly string[],
  who: string,
  err: Surroundings['err'],
): number {
  for (const line of [`${who}: ${first}`, ...others.map((each) => `  ${each}`)]) err(line);
  return code;
}

function reportFields(
  fields: readonly { readonly field: string; readonly message: string }[],
  who: string,
  err: Surroundings['err'],
): void {
  err(`${who}: ${fields.length === 1 ? '1 error:' : `${fields.length} errors:`}`);
  for (const { field, message } of fields) err(`  ${field}: ${message}`);
}

function reportPlatformError(
  error: PlatformError,
  { who, commands, err }: { readonly who: string; readonly commands: CommandTable; readonly err: Surroundings['err'] },
): number {
  if (error.fields.length > 0) reportFields(error.fields, who, err);
  else err(`${who}: ${error.message}`);
  err(`  ${adviceFor(error, who)}${listingFor(error, who, commands)}`);
  if (error.requestId !== undefined && (error.status ?? 0) >= 500)
    err(`  The id of the request is ${error.requestId}.`);
  if (error.status === 401) return exitCodes.notLoggedIn;
  const isAbsent = ['unreachable', 'timed_out', 'interrupted', 'certificate_not_trusted'].includes(error.code);
  return isAbsent ? exitCodes.unreachable : exitCodes.failed;
}

function adviceFor({ code, remedy }: PlatformError, who: string): string {
  if (code === 'certificate_not_trusted')
    return "Give the certificate of the installation's authority with --ca <file> or WAYBILL_CA.";
  if (['not_authenticated', 'refresh_token_invalid'].includes(code)) {
    return who.startsWith('waybill files ') ? partnerLoginAdvice : 'Log in again: `waybill login`.';
  }
  if (code === 'password_change_required') return passwordAdvice;
  return remedy;
}

/** The command that lists what a remedy says to list, if the group of the command has one. */
function listingFor({ remedy }: PlatformError, who: string, commands: CommandTable): string {
  const [, group = ''] = who.split(' ');
  const name = `${group} list`;
  const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
  if (!command || !remedy.startsWith('List ')) return '';
  return ` \`waybill ${[name, ...command.positionals.map((each) => `<${each}>`)].join(' ')}\` shows them.`;
}

const partnerLoginAdvice = 'Log in again: `waybill login --url <platform> --user <name> --partner`.';

const passwordAdvice =
  'Change it: `waybill password --url <platform> --user <name>`, for a partner with --partner. Then log in again.';

function firstSentence(message: string): string {
  return message.split('. ', 1)[0] ?? message;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
