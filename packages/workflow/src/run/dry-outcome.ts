import type { OutputsOrigin } from './imagine-task.ts';
import type { ItemEnd, StepEnd } from './job-scope.ts';

/** What would become of a step. */
export interface DryStep extends Omit<StepEnd, 'items'> {
  readonly section: 'steps' | 'onError' | 'finally';
  /** Its `if`; absent if it has none. */
  readonly condition?: boolean | string;
  /** The evaluated parameters; absent if it would not run, or if they cannot be evaluated. */
  readonly with?: Readonly<Record<string, unknown>>;
  /** Absent if there are no outputs. */
  readonly outputsFrom?: OutputsOrigin;
  /** The steps whose placeholders it uses: what is shown of it may differ in a real run. Absent if there are none. */
  readonly dependsOn?: readonly string[];
  /** The items of a step with `foreach` that would run. */
  readonly items?: readonly DryItem[];
}

/** What would become of an item. */
export interface DryItem extends ItemEnd {
  /** The evaluated parameters; absent if they cannot be evaluated. */
  readonly with?: Readonly<Record<string, unknown>>;
  /** Absent if there are no outputs. */
  readonly outputsFrom?: OutputsOrigin;
}

/** What a workflow would do. */
export interface DryRun {
  readonly status: 'COMPLETED' | 'ERROR';
  /** Why it would end in ERROR; empty otherwise. */
  readonly message: string;
  /** All steps, in the order of the template. */
  readonly steps: readonly DryStep[];
  /** Of the workflow; empty if it would end in ERROR. */
  readonly outputs: Readonly<Record<string, unknown>>;
}
