import { parseDocument } from '@waybill/configuration/document/parse-document';
import { type WorkflowTemplate, workflowTemplateSchema } from '@waybill/contracts/configuration/workflow-template';
import { CodedError, type FieldError } from '@waybill/contracts/errors/coded-error';
import { placeOf } from '@waybill/contracts/errors/place-of';
import { parseSettings } from '@waybill/directory/checks/parse-settings';
import { allSteps, calledBy } from '@waybill/workflow/checks/called-workflows';
import { checkTemplate } from '@waybill/workflow/checks/check-template';
import type { DryWorkflow } from '@waybill/workflow/run/dry-run';
import { storedSteps } from '@waybill/workflow/run/stored-steps';

/** A workflow template that is not stored, as a text, with the stored ones that it runs. */
export interface Draft {
  readonly document: string;
  /** Also those that they run. */
  readonly workflows: readonly WorkflowTemplate[];
  /** Names that no stored template has. */
  readonly absent: readonly string[];
  /** Why its jobs have no file; `undefined` if they have one, or if it is not known. */
  readonly noFile: string | undefined;
}

/** A draft that can run, or the names of the workflows without which it cannot be checked. */
export type ReadDraft =
  | { readonly name: string; readonly workflow: DryWorkflow }
  | { readonly missing: readonly string[] };

/** Named in errors in the place of a file. */
const documentName = 'template';
const shownInDetail = 5;

/**
 * Reads and checks a draft: its structure, and its parameters and expressions with the workflows that it runs. Its tests are not
 * run, and what the rest of the configuration has is not looked at.
 * @throws CodedError `configuration_invalid`; its fields have lines and columns if the document is YAML
 */
export function readDraft({ document, workflows, absent, noFile }: Draft): ReadDraft {
  const { value, positionOf } = parseDocument(document, documentName);
  const { data: template, faults: wrongSettings } = parseSettings(workflowTemplateSchema, value);
  const refuse = (faults: readonly FieldError[]): never => {
    throw invalid(faults.map((fault) => ({ ...fault, ...positionOf(fault.field, fault.index) })));
  };
  if (!template) return refuse(wrongSettings);
  const known = new Map([...workflows, template].map((one) => [one.name, one]));
  const called = allSteps(template).flatMap((step) => calledBy(step) ?? []);
  const missing = [...new Set(called)].filter((name) => !known.has(name) && !absent.includes(name));
  if (missing.length > 0) return { missing };
  const faults = checkTemplate(template, { name: template.name, workflows: known, noFile });
  const wrong = faults.map(({ path, message, index }) => ({ field: placeOf(path), message, index }));
  const fields = [...wrong, ...repeatedSteps(template)];
  if (fields.length > 0) return refuse(fields);
  const { inputs = {}, outputs = {} } = template;
  return { name: template.name, workflow: { steps: storedSteps(template, known), inputs, outputs } };
}

/** `checkTemplate` finds the names that are in two sections. */
function repeatedSteps({ steps }: WorkflowTemplate): FieldError[] {
  return steps.flatMap(({ name }, index) => {
    const first = steps.findIndex((step) => step.name === name);
    const message = `the step ${name} already exists at steps[${first}]`;
    return first === index ? [] : [{ field: `steps[${index}].name`, message }];
  });
}

function invalid(fields: readonly FieldError[]): CodedError {
  const shown = fields.slice(0, shownInDetail).map(({ field, message }) => (field ? `${field}: ${message}` : message));
  const more = fields.length > shownInDetail ? ` (and ${fields.length - shownInDetail} more)` : '';
  return new CodedError('configuration_invalid', { detail: `${shown.join('; ')}${more}`, fields });
}
