import { userInfo } from 'node:os';
import type { ParseArgsConfig } from 'node:util';

/** The environment and the output of the process that a command may use. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard input, unless it is a terminal. */
  readonly input?: AsyncIterable<Uint8Array> | undefined;
  /** Writes a line of output. */
  readonly out: (line: string) => void;
  /** Writes a line about an error. */
  readonly err: (line: string) => void;
}

/** The arguments of a command, without its name. */
export interface Invocation extends Surroundings {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
}

/** A command of `waybill`. Throws `UsageError` and `CodedError` for errors that the user can correct. */
export interface Command {
  readonly summary: string;
  /** The arguments in the help: `<file> [--json]`. */
  readonly usage: string;
  /** Names of the arguments without dashes, all required. */
  readonly positionals: readonly string[];
  /**
   * True for a command whose arguments may begin with a dash, as key ids do: then only the names of its options are
   * options.
   */
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

/** The command line is invalid: reported in one sentence, with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
