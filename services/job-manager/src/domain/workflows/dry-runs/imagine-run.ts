import type { GivenRun } from '@waybill/contracts/configuration/workflow-test';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { suggestion } from '@waybill/contracts/errors/nearest-name';
import type { DataflowContext } from '@waybill/contracts/values/dataflow-context';
import { bindInputs } from '@waybill/workflow/run/bind-inputs';
import { dryLimitsOfRequest } from '@waybill/workflow/run/dry-budget';
import type { DryRun } from '@waybill/workflow/run/dry-outcome';
import { dryRunRevision, type DryWorkflow } from '@waybill/workflow/run/dry-run';
import type { DryAction } from '@waybill/workflow/run/dry-source';
import type { JobFile } from '@waybill/workflow/run/job-file';
import { maskDefaults, maskDryRun, maskVariables } from './masked-dry-run.ts';
import { type Draft, readDraft } from './read-draft.ts';

/** A dry run with everything that it needs: it reads nothing else. All values are of JSON. */
export interface DryRunOrder {
  readonly workflow: DryWorkflow;
  readonly given: GivenRun;
  readonly action: DryAction | undefined;
  /** A stored file, and its origin. */
  readonly file: JobFile | undefined;
  readonly origin: DataflowContext | undefined;
}

/** A dry run of a template that is not stored. */
export interface DraftOrder extends Omit<DryRunOrder, 'workflow'> {
  readonly draft: Draft;
}

/** What a draft would do, or the names of the stored workflows that the order lacks. */
export type ImaginedDraft = { readonly name: string; readonly run: DryRun } | { readonly missing: readonly string[] };

/** The same of a draft. @throws CodedError as `imagineRun` and `readDraft` */
export type ImagineDraft = (order: DraftOrder, userName: string) => Promise<ImaginedDraft>;

/** Checks and runs a draft dryly. @throws CodedError as `imagineRun` and `readDraft` */
export function imagineDraft({ draft, ...order }: DraftOrder): ImaginedDraft {
  const read = readDraft(draft);
  if ('missing' in read) return read;
  return { name: read.name, run: imagineRun({ ...order, workflow: read.workflow }) };
}

/** Makes a dry run away from the event loop. `userName` asks for it. @throws CodedError as `imagineRun` */
export type ImagineRun = (order: DryRunOrder, userName: string) => Promise<DryRun>;

/**
 * Runs a workflow dryly, secrets masked. It computes as long as `dryLimitsOfRequest` allow.
 * @throws CodedError `validation_failed`: inputs or given steps do not fit, or the run takes more than it may
 */
export function imagineRun({ workflow, given, action, file, origin }: DryRunOrder): DryRun {
  const run = dryRunRevision(
    maskDefaults(workflow),
    { ...given, variables: maskVariables(bound(workflow, given.variables)) },
    {
      action,
      file,
      dfic: origin && { ...origin, userAttrs: maskVariables(origin.userAttrs) },
      limits: dryLimitsOfRequest,
    },
  );
  requireKnown(Object.keys(given.steps), run);
  return maskDryRun(run);
}

/** The variables with those that inputs declare. @throws CodedError `validation_failed`, naming the fields of the request */
function bound({ inputs }: DryWorkflow, variables: Readonly<Record<string, unknown>>) {
  try {
    return bindInputs(inputs, variables);
  } catch (error) {
    if (!isCodedError(error, 'validation_failed')) throw error;
    const fields = error.fields.map(({ field, message }) => ({ field: `variables.${field}`, message }));
    const detail = fields.map(({ field, message }) => `${field}: ${message}`).join('; ');
    throw new CodedError('validation_failed', { detail, fields, cause: error });
  }
}

/** @throws CodedError `validation_failed`: the request gives something for a step that the run does not have */
function requireKnown(given: readonly string[], { steps }: DryRun): void {
  const known = steps.map(({ name }) => name);
  const unknown = given.find((name) => !known.includes(name));
  if (unknown === undefined) return;
  const [field, message] = [`steps.${unknown}`, `there is no such step${suggestion(unknown, known)}`];
  throw new CodedError('validation_failed', { detail: `${field}: ${message}`, fields: [{ field, message }] });
}
