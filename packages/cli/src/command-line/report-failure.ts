import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { isPlatformError, type PlatformError } from '@waybill/platform-client/platform-error';
import { CommanderError } from 'commander';
import {
  type Command,
  CommandFailed,
  type CommandLineParts,
  type CommandTable,
  exitCodes,
  Interrupted,
  Refused,
  type Surroundings,
  UsageError,
} from '../command.ts';
import { findCommand } from './find-command.ts';

/** A command line that has failed. */
interface FailedLine {
  /** The arguments, with the present names of commands. */
  readonly words: readonly string[];
  readonly parts: CommandLineParts;
  readonly surroundings: Surroundings;
}

/** Reports an error in words that say what to do, and returns the exit code. */
export function reportFailure(error: unknown, { words, parts, surroundings }: FailedLine): number {
  const { explain, commands, groups } = parts;
  const { err, interruption } = surroundings;
  const [first = ''] = words;
  const named = findCommand(commands, words);
  const topic = named?.name ?? (Object.hasOwn(groups, first) ? first : undefined);
  const who = ['waybill', ...(topic === undefined ? [] : [topic])].join(' ');
  const failed: FailedCommand = { topic, who, options: named?.command.options ?? {}, commands, err };
  if (error instanceof CommanderError) return reportMisuse(error, failed);
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
  if (isPlatformError(error)) return reportPlatformError(error, failed);
  if (isCodedError(error) && error.fields.length > 0) reportFields(error.fields, failed);
  else if (isCodedError(error) || error instanceof CommandFailed) err(`${who}: ${error.message}`);
  else err(`${who}: ${stackOf(error)}`);
  return exitCodes.failed;
}

/** What the report is about. */
interface FailedCommand {
  /** The command or the group that was named. */
  readonly topic: string | undefined;
  readonly who: string;
  readonly options: NonNullable<Command['options']>;
  readonly commands: CommandTable;
  readonly err: Surroundings['err'];
}

/** An error that commander has found: it begins with `error: `, and what may be meant is in parentheses. */
function reportMisuse({ code, message }: CommanderError, { topic, who, commands, err }: FailedCommand): number {
  const help = ['waybill help', ...(topic === undefined ? [] : [topic])].join(' ');
  const verbs = Object.keys(commands).flatMap((name) => (name.startsWith(`${topic} `) ? name.split(' ').slice(1) : []));
  if (code === 'commander.help') err(`${who}: give a command: ${verbs.join(', ')}; \`${help}\` explains them`);
  else {
    const [sentence = '', meant] = message
      .replace(/^error: /u, '')
      .trim()
      .split('\n');
    err(`${who}: ${sentence}`);
    if (meant !== undefined) err(`  ${meant.replaceAll(/^\(|\)$/gu, '')}`);
    err(
      `  \`${help}\` explains ${code === 'commander.unknownCommand' ? 'the commands' : 'the arguments and options'}.`,
    );
  }
  return exitCodes.misused;
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
  { who, options, err }: FailedCommand,
): void {
  err(`${who}: ${fields.length === 1 ? '1 error:' : `${fields.length} errors:`}`);
  for (const { field, message } of fields) err(`  ${optionFor(field, options) ?? field}: ${message}`);
}

/** The option that fills a field of a request. */
function optionFor(field: string, options: FailedCommand['options']): string | undefined {
  const named = Object.entries(options).find(([, about]) => about.field === field);
  return named && `--${named[0]}`;
}

function reportPlatformError(error: PlatformError, failed: FailedCommand): number {
  const { who, commands, options, err } = failed;
  if (error.fields.length > 0) reportFields(error.fields, failed);
  else err(`${who}: ${error.message}`);
  if (error.fields.some(({ field }) => optionFor(field, options) !== undefined))
    err(`  Correct the option: \`${who.replace('waybill', 'waybill help')}\` explains it.`);
  else err(`  ${adviceFor(error, who)}${listingFor(error, who, commands)}`);
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
  return ` \`waybill ${[name, ...Object.keys(command.arguments ?? {}).map((each) => `<${each}>`)].join(' ')}\` shows them.`;
}

const partnerLoginAdvice = 'Log in again: `waybill login --url <platform> --user <name> --partner`.';

const passwordAdvice =
  'Change it: `waybill password --url <platform> --user <name>`, for a partner with --partner. Then log in again.';

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
