import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';

/** An error in a workflow template. */
export interface TemplateFault {
  /** The place in the template: `['steps', 0, 'with', 'source']`. */
  readonly path: readonly (string | number)[];
  readonly message: string;
  /** The index of the character, if the fault is inside a text. */
  readonly index?: number | undefined;
}

/** A step of a template as it was written: its task may not exist. */
export interface WrittenStep {
  readonly name: string;
  readonly uses: string;
  readonly with: Readonly<Record<string, unknown>>;
  readonly if?: boolean | string | undefined;
  readonly foreach?: StoredStep['foreach'];
}
