import { parseArgs } from 'node:util';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { type Command, type Surroundings, UsageError } from './command.ts';
import { commands } from './commands.ts';
import { RemovalsRefused } from './configuration/removals-refused.ts';
import { describeConnectionFailure } from './database/describe-connection-failure.ts';

/** The exit codes: success, failure, invalid command line, refused removals. */
const exitCodes = { done: 0, failed: 1, misused: 2, refused: 3 } as const;

/** Runs `waybill` with the arguments after its name, and returns its exit code. */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<number> {
  const { out, err } = surroundings;
  const [name = ''] = args;
  if (name === '' || name === 'help' || name === '--help' || name === '-h') {
    out(overview());
    return exitCodes.done;
  }
  const named = commandOf(args);
  if (!named) {
    err(`waybill: unknown command ${name}; \`waybill help\` lists the commands`);
    return exitCodes.misused;
  }
  const { command, rest } = named;
  if (rest.includes('--help') || rest.includes('-h')) {
    out(`waybill ${named.name} ${command.usage}\n${command.summary}`);
    return exitCodes.done;
  }
  try {
    await command.run({ ...surroundings, ...understand(command, rest) });
    return exitCodes.done;
  } catch (error) {
    return report(error, `waybill ${named.name}`, err);
  }
}

function commandOf(args: readonly string[]) {
  const table: Readonly<Record<string, Command>> = commands;
  for (const words of [2, 1]) {
    const name = args.slice(0, words).join(' ');
    const command = Object.hasOwn(table, name) ? table[name] : undefined;
    if (command) return { name, command, rest: args.slice(words) };
  }
  return undefined;
}

function understand(command: Command, args: readonly string[]) {
  try {
    const { values, positionals } = parseArgs({
      args: command.takesDashes ? withOptionsFirst(args, command.options) : [...args],
      options: command.options ?? {},
      allowPositionals: true,
      strict: true,
    });
    if (positionals.length !== command.positionals.length)
      throw new UsageError(`give ${command.usage || 'no arguments'}`);
    return { values: values as Record<string, string | boolean | undefined>, positionals };
  } catch (error) {
    if (error instanceof TypeError) throw new UsageError(firstSentence(error.message));
    throw error;
  }
}

function withOptionsFirst(args: readonly string[], options: Command['options'] = {}): string[] {
  const isOption = (arg: string): boolean => arg.startsWith('--') && Object.hasOwn(options, arg.slice(2));
  return [...args.filter(isOption), '--', ...args.filter((arg) => !isOption(arg))];
}

function report(error: unknown, who: string, err: Surroundings['err']): number {
  if (error instanceof UsageError) {
    err(`${who}: ${error.message}`);
    return exitCodes.misused;
  }
  if (error instanceof RemovalsRefused) {
    for (const line of [`${who}: ${error.message}`, ...error.lines.map((each) => `  ${each}`)]) err(line);
    return exitCodes.refused;
  }
  if (isCodedError(error) && error.fields.length > 0) {
    err(`${who}: ${error.fields.length === 1 ? '1 error:' : `${error.fields.length} errors:`}`);
    for (const { field, message } of error.fields) err(`  ${field}: ${message}`);
  } else if (isCodedError(error)) {
    err(`${who}: ${error.message}`);
  } else {
    err(`${who}: ${describeConnectionFailure(error) ?? stackOf(error)}`);
  }
  return exitCodes.failed;
}

function overview(): string {
  const lines = Object.entries(commands).map(([name, { usage, summary }]) => `  ${name} ${usage}\n      ${summary}`);
  return ['waybill <command>', '', ...lines].join('\n');
}

function firstSentence(message: string): string {
  return message.split('. ', 1)[0] ?? message;
}

function stackOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
