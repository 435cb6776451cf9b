import { CommanderError } from 'commander';
import {
  type Command,
  type CommandLineParts,
  type CommandTable,
  ExitCode,
  exitCodes,
  type Surroundings,
} from '../command.ts';
import { buildProgram, refuseForgottenValues } from './build-program.ts';
import { completeWords } from './complete-words.ts';
import { canonicalWords, findCommand } from './find-command.ts';
import { reportFailure } from './report-failure.ts';

/** Runs one of the commands with the arguments after the program's name, and returns its exit code. */
export async function runCommands(
  parts: CommandLineParts,
  given: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const [name] = given;
  if (name === '__complete') {
    for (const word of await completeWords(parts.commands, given.slice(1), surroundings)) surroundings.out(word);
    return exitCodes.done;
  }
  const words = wordsOf(parts.commands, given);
  const program = buildProgram({ ...parts, words }, surroundings, async (command, understood) => {
    refuseForgottenValues(command, words);
    await command.run({ ...surroundings, ...understood });
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    return exitCodes.done;
  } catch (error) {
    if (error instanceof ExitCode) return error.code;
    if (error instanceof CommanderError && error.exitCode === 0) return exitCodes.done;
    const code = await reportFailure(error, { words: name === 'help' ? words.slice(1) : words, parts, surroundings });
    // There, 2 says that there are changes.
    return code === exitCodes.misused && words.includes('--exit-code') ? exitCodes.failed : code;
  }
}

/** The arguments for commander: with the present names of commands, and without a command as a wish for help. */
function wordsOf(table: CommandTable, given: readonly string[]): readonly string[] {
  if (given.length === 0) return ['help'];
  if (given[0] === 'help') return ['help', ...canonicalWords(table, given.slice(1))];
  const named = findCommand(table, given);
  if (named?.command.takesDashes !== true) return canonicalWords(table, given);
  return [...named.name.split(' '), ...withOptionsFirst(named.rest, named.command.options)];
}

function withOptionsFirst(args: readonly string[], options: Command['options'] = {}): string[] {
  const isOption = (arg: string): boolean =>
    ['-h', '--help'].includes(arg) || (arg.startsWith('--') && Object.hasOwn(options, arg.slice(2)));
  return [...args.filter(isOption), '--', ...args.filter((arg) => !isOption(arg))];
}
