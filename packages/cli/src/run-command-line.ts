import { runCommands } from './command-line/run-commands.ts';
import { exitCodes, type Surroundings } from './command.ts';
import { commands } from './commands.ts';
import { RemovalsRefused } from './configuration/removals-refused.ts';
import { describeConnectionFailure } from './database/describe-connection-failure.ts';

/** Runs `waybill` with the arguments after its name, and returns its exit code. */
export async function runCommandLine(args: readonly string[], surroundings: Surroundings): Promise<number> {
  return runCommands({ commands, explain }, args, surroundings);
}

/** Errors of the commands that use the database. */
function explain(error: unknown) {
  if (error instanceof RemovalsRefused) return { code: exitCodes.refused, lines: [error.message, ...error.lines] };
  const sentence = describeConnectionFailure(error);
  return sentence === undefined ? undefined : { code: exitCodes.failed, lines: [sentence] };
}
