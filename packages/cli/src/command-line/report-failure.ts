import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { isPlatformError, type PlatformError } from '@waybill/platform-client/platform-error';
import { CommanderError } from 'commander';
import {
  type Command,
  CommandFailed,
  type CommandLineParts,
  exitCodes,
  Interrupted,
  Refused,
  type Surroundings,
  UsageError,
} from '../command.ts';
import { printable } from '../platform/render-table.ts';
import { type AdvisedCommand, adviceFor, inWordsOfCommands } from './advice.ts';
import { findCommand } from './find-command.ts';

/** A command line that has failed. */
interface FailedLine {
  /** The arguments, with the present names of commands. */
  readonly words: readonly string[];
  readonly parts: CommandLineParts;
  readonly surroundings: Surroundings;
}

/** Reports an error in words that say what to do, and returns the exit code. */
export async function reportFailure(error: unknown, { words, parts, surroundings }: FailedLine): Promise<number> {
  const { explain, commands, groups } = parts;
  const { env, interruption } = surroundings;
  const err = (text: string): void => surroundings.err(printable(text));
  const [first = ''] = words;
  const named = findCommand(commands, words);
  const topic = named?.name ?? (Object.hasOwn(groups, first) ? first : undefined);
  const who = ['waybill', ...(topic === undefined ? [] : [topic])].join(' ');
  const failed: FailedCommand = { topic, who, words, options: named?.command.options ?? {}, commands, err, env };
  if (error instanceof CommanderError) return reportMisuse(error, failed, parts);
  const ending = endingOf(error, interruption);
  if (ending !== undefined) return ending;
  if (error instanceof UsageError || error instanceof Interrupted) {
    err(`${who}: ${error.message}`);
    return error instanceof UsageError ? exitCodes.misused : exitCodes.interrupted;
  }
  if (error instanceof Refused) return reportLines(exitCodes.refused, [error.message, ...error.lines], who, err);
  const explained = explain?.(error);
  if (explained) return reportLines(explained.code, explained.lines, who, err);
  if (isPlatformError(error)) return await reportPlatformError(error, failed);
  reportOther(error, failed);
  return exitCodes.failed;
}

function reportOther(error: unknown, failed: FailedCommand): void {
  const { who, err } = failed;
  if (isCodedError(error) && error.fields.length > 0) reportFields(error.fields, failed);
  else if (isCodedError(error) || error instanceof CommandFailed) err(`${who}: ${error.message}`);
  else for (const line of `${who}: ${stackOf(error)}`.split('\n')) err(line);
}

/** What the report is about. */
interface FailedCommand extends AdvisedCommand {
  /** The command or the group that was named. */
  readonly topic: string | undefined;
  readonly options: NonNullable<Command['options']>;
  readonly err: Surroundings['err'];
}

/** The name of a command that this program does not have, and a server of the platform has. */
function nameOfServer(
  words: readonly string[],
  { commands, ofServer = new Set() }: CommandLineParts,
): string | undefined {
  if (findCommand(commands, words)) return undefined;
  const [first = '', second = ''] = words;
  const [isGroup, whole] = [Object.keys(commands).some((name) => name.startsWith(`${first} `)), `${first} ${second}`];
  if (ofServer.has(whole)) return whole;
  return !isGroup && [...ofServer].some((name) => name.split(' ', 1)[0] === first) ? first : undefined;
}

const serverAdvice = [
  'It uses the database, the stored files or the key files directly: run it there, such as with',
  '`npm run -s waybill -- <command>` beside `npm start`, or `docker-compose run --rm -T operator waybill <command>`.',
];

/** An error that commander has found: it begins with `error: `, and what may be meant is in parentheses. */
function reportMisuse({ code, message }: CommanderError, failed: FailedCommand, parts: CommandLineParts): number {
  const { topic, who, words, commands, err } = failed;
  const ofServer = nameOfServer(words, parts);
  if (ofServer !== undefined) {
    const lines = [`${ofServer} is a command on the server of the installation only`, ...serverAdvice];
    return reportLines(exitCodes.misused, lines, 'waybill', err);
  }
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
  for (const { field, message } of fields) {
    const place = optionFor(field, options) ?? field;
    err(`  ${place === '' ? message : `${place}: ${message}`}`);
  }
}

/** The option that fills a field of a request. */
function optionFor(field: string, options: FailedCommand['options']): string | undefined {
  const named = Object.entries(options).find(([, about]) => about.field === field);
  return named && `--${named[0]}`;
}

async function reportPlatformError(error: PlatformError, failed: FailedCommand): Promise<number> {
  const { who, options, err } = failed;
  if (error.fields.length > 0) reportFields(error.fields, failed);
  else err(`${who}: ${inWordsOfCommands(error.message)}`);
  if (error.fields.some(({ field }) => optionFor(field, options) !== undefined))
    err(`  Correct the option: \`${who.replace('waybill', 'waybill help')}\` explains it.`);
  else err(`  ${await adviceFor(error, failed)}`);
  if (error.requestId !== undefined && (error.status ?? 0) >= 500)
    err(`  The id of the request is ${error.requestId}.`);
  if (error.status === 401) return exitCodes.notLoggedIn;
  const isAbsent = ['unreachable', 'timed_out', 'interrupted', 'certificate_not_trusted'].includes(error.code);
  return isAbsent ? exitCodes.unreachable : exitCodes.failed;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
