import { z } from 'zod';

/** A program that jobs may run. */
export interface AllowedCommand {
  readonly path: string;
  /** Arguments that it always has, before those of the step. */
  readonly fixed: readonly string[];
  /** What steps may add: nothing, arguments that are no options (they do not begin with `-`), or anything. */
  readonly adds: 'nothing' | 'values' | 'anything';
}

/** The users that programs run as, one at a time each. The group of each has the same number. */
export interface CommandUsers {
  readonly first: number;
  readonly last: number;
}

const commandsSchema = z.string().transform((text, context): readonly AllowedCommand[] => {
  const commands = text
    .split(',')
    .map((entry) => entry.trim().split(/\s+/u))
    .filter(([path]) => path !== '')
    .map(readEntry);
  if (commands.some(({ path }) => !path.startsWith('/'))) {
    context.addIssue({
      code: 'custom',
      message: 'is a list of absolute paths, such as /usr/bin/iconv -f latin1 VALUES',
    });
  }
  if (new Set(commands.map(({ path }) => path)).size < commands.length) {
    context.addIssue({ code: 'custom', message: 'names a program twice' });
  }
  return commands;
});

function readEntry([path = '', ...words]: readonly string[]): AllowedCommand {
  const last = words.at(-1);
  if (last === 'VALUES') return { path, fixed: words.slice(0, -1), adds: 'values' };
  if (last === 'ANY') return { path, fixed: words.slice(0, -1), adds: 'anything' };
  return { path, fixed: words, adds: 'nothing' };
}

const usersSchema = z
  .string()
  .regex(/^\d{1,9}-\d{1,9}$/u, 'is a range of numbers of users, such as 61000-61003')
  .transform((text): CommandUsers => {
    const [first, last] = text.split('-').map(Number);
    return { first: first ?? 0, last: last ?? 0 };
  })
  .refine(
    ({ first, last }) => first >= 1_000 && first <= last && last - first < 100,
    'has 1 to 100 users, from number 1000 on',
  );

const whole = (least: number, most: number, fallback: number) =>
  z.coerce.number().int().min(least).max(most).default(fallback);

/** The settings of the task `run-command`. */
export const commandConfigShape = {
  RUN_COMMANDS: commandsSchema
    .default([])
    .describe(
      'Programs that the task run-command may run, separated by commas: absolute paths, each with its fixed arguments, and at its end VALUES (steps add arguments that do not begin with -) or ANY (steps add any arguments). None by default',
    ),
  RUN_COMMAND_USERS: usersSchema
    .optional()
    .describe(
      'Numbers of the users that programs run as, such as 61000-61003: one for each program that runs at a time, and for nothing else. Required with RUN_COMMANDS',
    ),
  RUN_COMMAND_SECONDS: whole(1, 86_400, 300).describe('The longest time of a program'),
  RUN_COMMAND_MEMORY_MB: whole(16, 1_048_576, 512).describe('Address space of each process of a program, in MiB'),
  RUN_COMMAND_PROCESSES: whole(1, 4_096, 16).describe('Processes and threads of a program'),
  RUN_COMMAND_OUTPUT_MB: whole(1, 1_048_576, 100).describe(
    'Standard output of a program, and each file that it writes, in MiB',
  ),
};

/** The settings of the task `run-command`. */
export type CommandConfig = z.output<z.ZodObject<typeof commandConfigShape>>;
