import { userInfo } from 'node:os';
import type { Writable } from 'node:stream';

/** The environment and the output of the process that a command may use. */
export interface Surroundings {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Standard input, unless it is a terminal. */
  readonly input?: AsyncIterable<Uint8Array> | undefined;
  /** Writes a line of output. */
  readonly out: (line: string) => void;
  /** Writes a line about an error. */
  readonly err: (line: string) => void;
  /** Standard output, for content that is not lines; `isTTY`: a terminal. */
  readonly output?: (Writable & { readonly isTTY?: boolean }) | undefined;
  /** Standard error, if it is a terminal. */
  readonly terminal?: Terminal | undefined;
  /**
   * Aborted by SIGINT and SIGTERM, and when the output is not read any longer (with the reason `unread`). A command that asks for it
   * is not ended by the first of these signals: it ends by itself.
   */
  readonly interruption?: (() => AbortSignal) | undefined;
}

/** A terminal that a person sits at. */
export interface Terminal {
  readonly columns: () => number;
  /** Replaces the present line. */
  readonly showStatus: (text: string) => void;
  /** Asks for a secret, which is not shown. */
  readonly askSecretly: (question: string) => Promise<string>;
}

/** The arguments of a command, without its name. */
export interface Invocation extends Surroundings {
  readonly positionals: readonly string[];
  readonly values: Readonly<Record<string, string | boolean | undefined>>;
  /** The values of the given options that are repeatable, which are not in `values`. */
  readonly lists: Readonly<Record<string, readonly string[] | undefined>>;
}

/** An option of a command. */
export interface CommandOption {
  /** One sentence for the help. */
  readonly explanation: string;
  /** The word for its value in the help: `name` for `--queue <name>`. Without one, the option is a flag. */
  readonly value?: string;
  /** The values that it takes, whatever their case. */
  readonly choices?: readonly string[];
  /** The value where it is not given. */
  readonly usual?: string;
  readonly isRequired?: boolean;
  /** True for an option that may be given several times: its values are in `lists`. */
  readonly isRepeatable?: boolean;
  /** The field of requests that it fills, where errors of the platform are to name the option instead. */
  readonly field?: string;
  /** Its heading in the help, where that is not `Options:`. */
  readonly heading?: string;
}

/** A command of `waybill`. Throws `UsageError` and `CodedError` for errors that the user can correct. */
export interface Command {
  readonly summary: string;
  /** The arguments without dashes that are required, by name and in this order, each with one sentence for the help. */
  readonly arguments?: Readonly<Record<string, string>>;
  /** Arguments that may follow those. */
  readonly optionalArguments?: Readonly<Record<string, string>>;
  /** The values of arguments that have a few, by their names, for the help and the completion in shells. */
  readonly words?: Readonly<Record<string, readonly string[]>>;
  readonly options?: Readonly<Record<string, CommandOption>>;
  /** Complete command lines for the help. */
  readonly examples: readonly string[];
  /**
   * True for a command whose arguments may begin with a dash, as key ids do: then only the names of its options are
   * options.
   */
  readonly takesDashes?: boolean;
  run(invocation: Invocation): Promise<void>;
}

/** A set of commands by name, each of one or two words. */
export type CommandTable = Readonly<Record<string, Command>>;

/** First words of commands, by the heading that they are under. */
export type Sections = Readonly<Record<string, readonly string[]>>;

/** What a program adds to its commands. */
export interface CommandLineParts {
  readonly commands: CommandTable;
  /** One sentence about each first word that several commands have. */
  readonly groups: Readonly<Record<string, string>>;
  /** The headings of the help, in its order, each with the first words of its commands. */
  readonly sections?: Sections;
  /** The commands that only a server of the platform has. */
  readonly ofServer?: ReadonlySet<string>;
  /** Reports an error that only this program knows; `undefined` for any other. */
  readonly explain?: (error: unknown) => { readonly code: number; readonly lines: readonly string[] } | undefined;
}

/** The exit codes of `waybill`; docs/command-line.md explains them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  misused: 2,
  /** `apply --without-removals` would have removed something; or the answer of `explain` is no. */
  refused: 3,
  notLoggedIn: 4,
  unreachable: 5,
  /** SIGINT or SIGTERM: 128 and the number of SIGINT, as in shells. */
  interrupted: 130,
} as const;

/** The command did what it should, and its exit code says what it found. */
export class ExitCode extends Error {
  override readonly name = 'ExitCode';
  readonly code: number;

  constructor(code: number) {
    super(`exit code ${code}`);
    this.code = code;
  }
}

/** The user who runs the command, for the audit log; in a container it may be a user without a name. */
export function operatorName(): string {
  try {
    return userInfo().username;
  } catch {
    return 'operator';
  }
}

/** The command has failed in a way that its sentence explains: exit code 1. */
export class CommandFailed extends Error {
  override readonly name = 'CommandFailed';
}

/** A person has ended the command at a question, with Ctrl-C or Ctrl-D: exit code 130. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** The command has changed nothing, because of what its lines say: exit code 3. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly lines: readonly string[];

  constructor(message: string, lines: readonly string[]) {
    super(message);
    this.lines = lines;
  }
}

/** The command line is invalid: reported in one sentence, with exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}
