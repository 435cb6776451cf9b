/** What `npm test -- ...` was asked to do. */
export interface TestArguments {
  /** Names of stages; none means all. */
  readonly stages: readonly string[];
  /** The commit to compare with, when only what has changed since is of interest. */
  readonly changedSince: string | undefined;
}

/** Reads `[--changed[=<commit>]] [stage...]`. `--changed` alone compares with HEAD: what is not committed yet. */
export function parseArguments(args: readonly string[]): TestArguments {
  const option = args.findLast((arg) => arg === '--changed' || arg.startsWith('--changed='));
  const changedSince = option?.includes('=') === true ? option.slice('--changed='.length) : option && 'HEAD';
  return { stages: args.filter((arg) => arg !== '--changed' && !arg.startsWith('--changed=')), changedSince };
}
