import { expectationVariables } from '@waybill/contracts/configuration/expectation';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { contractSchema, isFileTrigger, systemOfAction } from '@waybill/contracts/configuration/workflow-configuration';
import { workflowCall, workflowStepSchema } from '@waybill/contracts/configuration/workflow-step';
import {
  stepsAtMost,
  type WorkflowInput,
  workflowTemplateSchema,
} from '@waybill/contracts/configuration/workflow-template';
import type { FieldError } from '@waybill/contracts/errors/coded-error';
import { placeOf } from '@waybill/contracts/errors/place-of';
import { allSteps, calledBy, reachedFrom, summarizeWorkflow } from '@waybill/workflow/checks/called-workflows';
import { checkTemplate } from '@waybill/workflow/checks/check-template';
import { runWorkflowTests } from '@waybill/workflow/checks/run-tests';
import type { NameableEntities, TemplateContext } from '@waybill/workflow/checks/template-context';
import type { TemplateFault, WrittenTemplate } from '@waybill/workflow/checks/template-fault';
import { convertInput } from '@waybill/workflow/run/bind-inputs';
import { stepsOfJob } from '@waybill/workflow/run/step-place';
import type { Workflows } from '@waybill/workflow/run/stored-steps';
import { z } from 'zod';
import { composeDocument } from '../sources/compose-document.ts';
import type { StoredEntity } from '../sources/stored-entities.ts';
import type { MayExist } from './hidden-names.ts';
import { readNameable } from './nameable-entities.ts';
import { parseLeniently } from './parse-leniently.ts';
import { readActor, readDocument } from './written-document.ts';

const writtenStepSchema = workflowStepSchema.extend({ uses: z.string().default(workflowCall) });
const writtenTemplateSchema = workflowTemplateSchema.extend({
  steps: z.array(writtenStepSchema).max(stepsAtMost),
  onError: z.array(writtenStepSchema).max(stepsAtMost).optional(),
  finally: z.array(writtenStepSchema).max(stepsAtMost).optional(),
});

type Contract = z.output<typeof contractSchema>;
type Action = Contract['actions'][number];

interface PlacedAction {
  readonly place: readonly PropertyKey[];
  readonly title: string;
  readonly contract: string;
  readonly action: Action;
  /** The actor, as it is written. */
  readonly actor: unknown;
  readonly expectations: Contract['expectations'];
}

/**
 * The errors in the workflows of a configuration, each checked for every action that uses it.
 * @param written the templates whose tests are run, with those of the templates that run them
 * @param mayExist what there may be besides
 */
export function checkWorkflows(
  configuration: PlatformConfiguration,
  written: readonly string[],
  mayExist: MayExist = () => false,
): FieldError[] {
  const actions = configuration.actors.flatMap((actor, index) => actionsOf(actor, index, actor.contracts));
  const parts = { ...configuration, document: configuration, actions, around: { theirs: {}, mayExist } };
  return checkDocument(parts, written);
}

/** What there is besides a document that is not valid. */
export interface Surroundings {
  readonly others: readonly StoredEntity[];
  /** Whether an object with errors could be the one that is named. */
  readonly mayExist: MayExist;
}

/**
 * The same for a document before it is valid: a template or a contract whose structure is wrong elsewhere is left out, so that all
 * errors are reported together. All its tests are run. Without `surroundings`, nothing is said of what its steps name.
 */
export function checkWrittenWorkflows(document: unknown, surroundings?: Surroundings): FieldError[] {
  const { workflowTemplates, actors } = readDocument(document);
  const { others, mayExist } = surroundings ?? { others: [], mayExist: () => false };
  const around = surroundings && { theirs: composeDocument(others, new Set()), mayExist };
  const actions = actors
    .flatMap(readActions)
    .filter(({ contract: name, actor }) => !mayExist('Contract', { name, actor: readActor(actor).name }));
  return checkDocument({ document, workflowTemplates, actors, actions, around });
}

/** What is read of a document. */
interface ReadParts {
  readonly document: unknown;
  readonly workflowTemplates: readonly unknown[];
  readonly actors: readonly unknown[];
  readonly actions: readonly PlacedAction[];
  /** What others have, as a document; absent if that is not known. */
  readonly around: { readonly theirs: unknown; readonly mayExist: MayExist } | undefined;
}

function checkDocument(
  { document, workflowTemplates, actors, actions, around }: ReadParts,
  written?: readonly string[],
) {
  const theirs = readDocument(around?.theirs);
  const entities = around && readNameable([document, around.theirs], [...actors, ...theirs.actors], around.mayExist);
  const entitiesOf: EntitiesOf = ({ title, actor }) => entities?.ofActor(`the action ${title}`, actor);
  const isHidden = (name: string) => around?.mayExist('Workflow Template', { name }) ?? false;
  const read = (value: unknown) => parseLeniently(writtenTemplateSchema, value);
  const templates = workflowTemplates.map(read);
  const workflows = new Map(
    [...theirs.workflowTemplates.map(read), ...templates].flatMap((template) =>
      template && !isHidden(template.name) ? [[template.name, template]] : [],
    ),
  );
  const valid = validTemplates([...theirs.workflowTemplates, ...workflowTemplates]);
  const callers = callersOf(actions, workflows);
  const actionsByWorkflow = Map.groupBy(actions, ({ action }) => action.workflow);
  const faults = templates.flatMap((template, index) => {
    if (!template) return [];
    const { name, inputs = {} } = template;
    const users = actionsByWorkflow.get(name) ?? [];
    const contexts = [
      ...users.map((user) => contextOf(user, entitiesOf)),
      ...(callers.get(name) ?? []).map((caller) => ({ ...contextOf(caller, entitiesOf), ...called })),
    ];
    const known = contexts.length === 0 ? [{ entities: entities?.anyone }] : contexts;
    return [
      ...known
        .flatMap((one) => checkTemplate(template, { ...one, name, workflows: around && workflows }))
        .map((fault) => placed(fault, ['workflowTemplates', index])),
      ...(isHidden(name) ? [] : users.flatMap((user) => checkInputs(user, name, inputs))),
      ...(isTested(name, workflows, written) ? runTests(name, valid, ['workflowTemplates', index]) : []),
    ];
  });
  return [...new Map(faults.map((fault) => [JSON.stringify(fault), fault])).values()];
}

/** In a workflow that another one runs. */
const called: TemplateContext = {
  variables: [],
  noVariable: 'a workflow that another one runs has the inputs that it is given, and no other variables',
};

/** The actions that run workflows through others. */
function callersOf(
  actions: readonly PlacedAction[],
  workflows: Workflows<WrittenTemplate>,
): ReadonlyMap<string, readonly PlacedAction[]> {
  const callers = new Map<string, PlacedAction[]>();
  for (const action of actions) {
    for (const name of reachedFrom(action.action.workflow, workflows)) {
      callers.set(name, [...(callers.get(name) ?? []), action]);
    }
  }
  return callers;
}

/** The templates that are valid by themselves. */
function validTemplates(values: readonly unknown[]): Workflows {
  const parsed = values.map((value) => workflowTemplateSchema.safeParse(value).data);
  return new Map(parsed.flatMap((template) => (template ? [[template.name, template]] : [])));
}

/** Whether the tests of a workflow are run: it ends, and it is written, or runs one that is. */
function isTested(
  name: string,
  workflows: Workflows<WrittenTemplate>,
  written: readonly string[] | undefined,
): boolean {
  if (!canRun(name, workflows)) return false;
  if (written === undefined || written.includes(name)) return true;
  const reached = reachedFrom(name, workflows);
  return written.some((one) => reached.has(one));
}

/** Whether a workflow ends: it does not run itself, and has no more steps than a job. */
function canRun(name: string, workflows: Workflows<WrittenTemplate>): boolean {
  const { cycle, steps } = summarizeWorkflow(name, workflows);
  return cycle === undefined && steps <= stepsOfJob;
}

/** Runs the tests of a template that is valid by itself, as are the workflows that it runs. */
function runTests(name: string, valid: Workflows, place: readonly PropertyKey[]): FieldError[] {
  const template = valid.get(name);
  const reached = [template, ...[...reachedFrom(name, valid)].map((one) => valid.get(one))];
  const called = reached.flatMap((one) => allSteps(one).flatMap((step) => calledBy(step) ?? []));
  if (!template || called.some((one) => !valid.has(one))) return [];
  return runWorkflowTests(template, valid).map((fault) => placed(fault, place));
}

function placed({ path, message, index }: TemplateFault, place: readonly PropertyKey[]): FieldError {
  return { field: placeOf([...place, ...path]), message, ...(index !== undefined && { index }) };
}

/** What the steps of an action can name. */
type EntitiesOf = (placed: PlacedAction) => NameableEntities | undefined;

/** What the jobs of an action have. A submission can give any variables. */
function contextOf(placedAction: PlacedAction, entitiesOf: EntitiesOf): TemplateContext {
  const { title, action, expectations } = placedAction;
  const { trigger, variables, grants = [] } = action;
  const isOnDemand = trigger.type === 'OnDemand';
  return {
    files: { title, vfs: systemOfAction(action, expectations), grants },
    entities: entitiesOf(placedAction),
    noFile: whyNoFile(title, trigger),
    ...(!isOnDemand && {
      variables: [...Object.keys(variables), ...(trigger.type === 'Expectation' ? expectationVariables : [])],
      noVariable: `the action ${title} has no such variable`,
    }),
  };
}

/** A missed due time has no file; the other outcomes of an expectation are those of a file. */
function whyNoFile(title: string, trigger: Action['trigger']): string | undefined {
  if (isFileTrigger(trigger)) return undefined;
  if (trigger.type !== 'Expectation') return `the action ${title} is started by ${trigger.type}, without a file`;
  return trigger.on.includes('missed') ? `the action ${title} is also started by missed, without a file` : undefined;
}

/** The inputs that an action does not give, or gives with a wrong type. A submission can give what is missing. */
function checkInputs(
  { place, action: { trigger, variables } }: PlacedAction,
  workflow: string,
  inputs: Readonly<Record<string, WorkflowInput>>,
): FieldError[] {
  return Object.entries(inputs).flatMap(([name, input]) => {
    if (!Object.hasOwn(variables, name)) {
      if (trigger.type === 'Expectation' && expectationVariables.some((given) => given === name)) return [];
      if (trigger.type === 'OnDemand' || input.default !== undefined) return [];
      return [{ field: placeOf([...place, 'variables']), message: `the workflow ${workflow} needs the input ${name}` }];
    }
    const converted = convertInput(variables[name], input);
    return 'fault' in converted ? [{ field: placeOf([...place, 'variables', name]), message: converted.fault }] : [];
  });
}

function readActions(actor: unknown, index: number): PlacedAction[] {
  const contracts = readActor(actor).contracts.map((value) => parseLeniently(contractSchema, value));
  return actionsOf(actor, index, contracts);
}

/** The actions of the enabled contracts of an actor. */
function actionsOf(actor: unknown, index: number, contracts: readonly (Contract | undefined)[]): PlacedAction[] {
  return contracts.flatMap((contract, c) => {
    if (!contract?.enabled) return [];
    return contract.actions.map((action, a) => ({
      place: ['actors', index, 'contracts', c, 'actions', a],
      title: `${contract.name}/${action.name}`,
      contract: contract.name,
      action,
      actor,
      expectations: contract.expectations,
    }));
  });
}
