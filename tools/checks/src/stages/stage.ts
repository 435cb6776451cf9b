/** What a stage needs. */
export interface StageContext {
  /** The folder of the workspace. */
  readonly root: string;
  /** Aborted by Ctrl-C: ends the programs that a stage started. */
  readonly signal: AbortSignal;
  /** Shows a line of progress. */
  readonly report: (line: string) => void;
}

/** The numbers of passed and failed checks or tests. */
export interface Counts {
  readonly passed: number;
  readonly failed: number;
}

/** One part of `npm test`. A check counts as one pass or one failure, a stage of tests as many as it has tests. */
export interface Stage {
  readonly name: string;
  /** An empty stage is not a failure: only what depends on a change is tested. */
  readonly mayBeEmpty?: boolean;
  /** The projects of `vitest.config.ts` that it runs, where they may run beside those of the stage after it. */
  readonly projects?: readonly string[];
  readonly run: (context: StageContext) => Promise<Counts>;
}
