import { contractSchema, isFileTrigger } from '@waybill/contracts/configuration/workflow-configuration';
import { workflowStepSchema } from '@waybill/contracts/configuration/workflow-step';
import { type WorkflowInput, workflowTemplateSchema } from '@waybill/contracts/configuration/workflow-template';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import { checkTemplate, type WrittenTemplate } from '@waybill/workflow/checks/check-template';
import { runWorkflowTests } from '@waybill/workflow/checks/run-tests';
import type { TemplateContext } from '@waybill/workflow/checks/template-context';
import type { TemplateFault } from '@waybill/workflow/checks/template-fault';
import { convertInput } from '@waybill/workflow/run/bind-inputs';
import { z } from 'zod';
import { parseLeniently } from './parse-leniently.ts';
import { placeOf } from './place-of.ts';

const writtenStepSchema = workflowStepSchema.extend({ uses: z.string() });
const writtenTemplateSchema = workflowTemplateSchema.extend({
  steps: z.array(writtenStepSchema),
  onError: z.array(writtenStepSchema).optional(),
  finally: z.array(writtenStepSchema).optional(),
});

type Contract = z.output<typeof contractSchema>;
type Action = Contract['actions'][number];

interface PlacedAction {
  readonly place: readonly PropertyKey[];
  readonly title: string;
  readonly action: Action;
}

/**
 * The errors in the workflows of a configuration, each checked for every action that uses it. It reads the document before it
 * is valid: a template or a contract whose structure is wrong elsewhere is left out, so that all errors are reported together.
 */
export function checkWorkflows(document: unknown): FieldError[] {
  const { workflowTemplates, actors } = readDocument(document);
  const actions = actors.flatMap(readActions);
  const faults = workflowTemplates.flatMap((value, index) => {
    const template = parseLeniently(writtenTemplateSchema, value);
    if (!template) return [];
    const users = actions.filter(({ action }) => action.workflow === template.name);
    const contexts = users.length === 0 ? [{}] : users.map((user) => contextOf(user));
    return [
      ...contexts.flatMap((context) => checkFor(template, ['workflowTemplates', index], context)),
      ...users.flatMap((user) => checkInputs(user, template.name, template.inputs ?? {})),
      ...runTests(value, ['workflowTemplates', index]),
    ];
  });
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()];
}

function checkFor(template: WrittenTemplate, place: readonly PropertyKey[], context: TemplateContext): FieldError[] {
  return checkTemplate(template, context).map((fault) => placed(fault, place));
}

/** Runs the tests of a template that is valid by itself. */
function runTests(value: unknown, place: readonly PropertyKey[]): FieldError[] {
  const { data: template } = workflowTemplateSchema.safeParse(value);
  return template ? runWorkflowTests(template).map((fault) => placed(fault, place)) : [];
}

function placed({ path, message, index }: TemplateFault, place: readonly PropertyKey[]): FieldError {
  return { field: placeOf([...place, ...path]), message, ...(index !== undefined && { index }) };
}

/** What the jobs of an action have. A submission can give any variables. */
function contextOf({ title, action: { trigger, variables, vfs, grants = [] } }: PlacedAction): TemplateContext {
  const isOnDemand = trigger.type === 'OnDemand';
  const own = isFileTrigger(trigger) ? trigger.vfs : vfs;
  return {
    files: { title, vfs: own, grants },
    ...(!isFileTrigger(trigger) && { noFile: `the action ${title} is started by ${trigger.type}, without a file` }),
    ...(!isOnDemand && {
      variables: Object.keys(variables),
      noVariable: `the action ${title} has no such variable`,
    }),
  };
}

/** The inputs that an action does not give, or gives with a wrong type. A submission can give what is missing. */
function checkInputs(
  { place, action: { trigger, variables } }: PlacedAction,
  workflow: string,
  inputs: Readonly<Record<string, WorkflowInput>>,
): FieldError[] {
  return Object.entries(inputs).flatMap(([name, input]) => {
    if (!Object.hasOwn(variables, name)) {
      if (trigger.type === 'OnDemand' || input.default !== undefined) return [];
      return [{ field: placeOf([...place, 'variables']), message: `the workflow ${workflow} needs the input ${name}` }];
    }
    const converted = convertInput(variables[name], input);
    return 'fault' in converted ? [{ field: placeOf([...place, 'variables', name]), message: converted.fault }] : [];
  });
}

function readActions(actor: unknown, index: number): PlacedAction[] {
  const { contracts } = readActor(actor);
  return contracts.flatMap((value, c) => {
    const contract = parseLeniently(contractSchema, value);
    if (!contract?.enabled) return [];
    return contract.actions.map((action, a) => ({
      place: ['actors', index, 'contracts', c, 'actions', a],
      title: `${contract.name}/${action.name}`,
      action,
    }));
  });
}

const list = z.array(z.unknown()).catch([]);
const documentSchema = z.object({ workflowTemplates: list, actors: list }).catch({ workflowTemplates: [], actors: [] });
const actorSchema = z.object({ contracts: list }).catch({ contracts: [] });

function readDocument(document: unknown): z.output<typeof documentSchema> {
  return documentSchema.parse(document);
}

function readActor(actor: unknown): z.output<typeof actorSchema> {
  return actorSchema.parse(actor);
}
