import { runCommands } from '../src/command-line/run-commands.ts';
import type { CommandTable } from '../src/command.ts';

/** The command of the table that runs with these arguments, by its name, and the exit code; nothing is done. */
export async function understoodBy(
  commands: CommandTable,
  args: readonly string[],
): Promise<{ readonly code: number; readonly name: string | undefined; readonly err?: string }> {
  let ran: string | undefined;
  const idle = Object.fromEntries(
    Object.entries(commands).map(([name, command]) => {
      const run = (): Promise<void> => {
        ran = name;
        return Promise.resolve();
      };
      return [name, { ...command, run }];
    }),
  );
  const err: string[] = [];
  const surroundings = { env: {}, out: () => undefined, err: (line: string) => err.push(line) };
  const code = await runCommands({ commands: idle, groups: {} }, args, surroundings);
  return { code, name: ran, ...(err.length > 0 && { err: err.join('\n') }) };
}
