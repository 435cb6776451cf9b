import type { StoredStep, WorkflowInput, WorkflowOutput } from '@waybill/contracts/configuration/workflow-template';

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
  readonly workflow?: string | undefined;
  readonly with: Readonly<Record<string, unknown>>;
  readonly if?: boolean | string | undefined;
  readonly foreach?: StoredStep['foreach'];
}

/** A template as it was written. */
export interface WrittenTemplate {
  readonly inputs?: Readonly<Record<string, WorkflowInput>> | undefined;
  readonly outputs?: Readonly<Record<string, WorkflowOutput>> | undefined;
  readonly steps: readonly WrittenStep[];
  readonly onError?: readonly WrittenStep[] | undefined;
  readonly finally?: readonly WrittenStep[] | undefined;
}
