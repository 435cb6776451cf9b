/** A program that a step runs. */
export interface CommandOrder {
  readonly command: string;
  readonly arguments: readonly string[];
  /** Its standard input. */
  readonly input: AsyncIterable<Buffer>;
}

/** How a program ended. */
export interface CommandEnd {
  readonly exitCode: number;
  /** The end of its standard error. */
  readonly errorText: string;
}

/** A program that runs. Disposing of it ends it and all its processes. */
export interface RunningCommand extends AsyncDisposable {
  /** Its standard output. */
  readonly output: AsyncIterable<Buffer>;
  /**
   * Resolves when it has ended with all its processes. @throws CodedError `job_step_failed` if a limit or a signal has ended it,
   * or the error of the input; the reason of the signal of the step
   */
  readonly ended: Promise<CommandEnd>;
}

/** The programs that a step may run. */
export interface StepCommands {
  /** @throws CodedError `command_refused` */
  runCommand(order: CommandOrder, signal: AbortSignal): Promise<RunningCommand>;
}
