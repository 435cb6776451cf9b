import { groups } from './command-groups.ts';
import { sections } from './command-line/command-sections.ts';
import { findCommand } from './command-line/find-command.ts';
import { runCommands } from './command-line/run-commands.ts';
import type { Surroundings } from './command.ts';
import { platformCommands } from './remote-commands.ts';

/**
 * Runs `waybill` with the arguments after its name, and returns its exit code. What uses the database and the files of the
 * platform is loaded for the commands that need it: the others answer in half the time.
 */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<number> {
  if (findCommand(platformCommands, wordsOfCommand(args)))
    return runCommands({ commands: platformCommands, groups, sections }, args, surroundings);
  const { serverCommandLine } = await import('./server-command-line.ts');
  return runCommands(serverCommandLine, args, surroundings);
}

/** The words that name the command which runs, is explained or is completed. */
function wordsOfCommand(args: readonly string[]): readonly string[] {
  if (args[0] === 'help') return args.slice(1);
  // The last word is being typed.
  return args[0] === '__complete' ? args.slice(1, -1) : args;
}
