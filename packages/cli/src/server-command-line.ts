import { groups } from './command-groups.ts';
import { sections } from './command-line/command-sections.ts';
import { type CommandLineParts, exitCodes } from './command.ts';
import { commands } from './commands.ts';
import { describeConnectionFailure } from './database/describe-connection-failure.ts';

/** The command line of a server of the platform: all commands, and errors of those that use the database. */
export const serverCommandLine: CommandLineParts = { commands, groups, sections, explain };

function explain(error: unknown) {
  const sentence = describeConnectionFailure(error);
  return sentence === undefined ? undefined : { code: exitCodes.failed, lines: [sentence] };
}
