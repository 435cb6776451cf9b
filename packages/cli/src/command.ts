import { userInfo } from 'node:os';
import type { ParseArgsConfig } from 'node:util';

/** What a command may touch of the process that it runs in. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Writes a line of the answer. */
  readonly out: (line: string) => void;
  /** Writes a line about what went wrong. */
  readonly err: (line: string) => void;
}

/** One use of a command, after its name was taken off. */
export interface Invocation extends Surroundings {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
}

/** Something that `waybill` can do. Throws `UsageError` and `CodedError` for what the person at the keyboard can mend. */
export interface Command {
  readonly summary: string;
  /** What follows the command's name: `<file> [--json]`. */
  readonly usage: string;
  /** Names of the arguments without dashes, all required. */
  readonly positionals: readonly string[];
  /** True for a command whose arguments may begin with a dash, as key ids do: only the names of its options are options. */
  readonly takesDashes?: boolean;
  readonly options?: NonNullable<ParseArgsConfig['options']>;
  run(invocation: Invocation): Promise<void>;
}

/** The user who runs the command, for the audit log; in a container it may be a user without a name. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'operator';
  }
}

/** The command line cannot be understood: answered with one sentence and exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
