/** The parsed arguments of `npm test -- ...`. */
export interface TestArguments {
  /** Names of stages; empty for all. */
  readonly stages: readonly string[];
  /** The commit to compare with, to run only what has changed since. */
  readonly changedSince: string | undefined;
}

/** Reads `[--changed[=<commit>]] [stage...]`. `--changed` alone compares with HEAD: uncommitted changes. */
export function parseArguments(args: readonly string[]): TestArguments {
  const option = args.findLast((arg) => arg === '--changed' || arg.startsWith('--changed='));
  const changedSince = option?.includes('=') === true ? option.slice('--changed='.length) : option && 'HEAD';
  return { stages: args.filter((arg) => arg !== '--changed' && !arg.startsWith('--changed=')), changedSince };
}
