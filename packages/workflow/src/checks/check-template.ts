import type { WorkflowInput } from '@waybill/contracts/configuration/workflow-template';
import { isWaitingTask } from '@waybill/contracts/tasks/task-specifications';
import { convertInput } from '../run/bind-inputs.ts';
import { calledBy } from './called-workflows.ts';
import { checkCall } from './check-call.ts';
import { type CheckExpression, createExpressionCheck, type TypedEnvironments } from './check-expression.ts';
import { checkForeach } from './check-foreach.ts';
import { checkOutputs, outputsScope } from './check-outputs.ts';
import { checkParameters } from './check-parameters.ts';
import { checkPlaces } from './check-places.ts';
import { checkReferences } from './check-references.ts';
import { checkSubmission } from './check-submission.ts';
import { checkCondition, checkValue } from './check-value.ts';
import { objectOf, type ScopeType, valueOf } from './scope-type.ts';
import { commonScope, errorScope, stepScope, type TemplateContext } from './template-context.ts';
import type { TemplateFault, WrittenStep, WrittenTemplate } from './template-fault.ts';

const sections = ['steps', 'onError', 'finally'] as const;
type Section = (typeof sections)[number];

interface PlacedStep {
  readonly step: WrittenStep;
  readonly section: Section;
  readonly path: readonly (string | number)[];
}

/**
 * All errors of a template for the jobs of `context`: parameters, expressions, references to steps, types, names that occur
 * twice. The structure was checked before.
 */
export function checkTemplate(template: WrittenTemplate, context: TemplateContext): TemplateFault[] {
  const { inputs = {}, outputs = {} } = template;
  const placed = placedSteps(template);
  const scopes = placed.map(({ step }) => scopeOfStep(step, context, [context.name ?? '']));
  const { scope, absent } = commonScope(context, inputs);
  const environments: TypedEnvironments = new Map();
  return [
    ...checkDefaults(inputs),
    ...repeatedNames(placed),
    ...placed.flatMap((one, index) => {
      const steps = stepsBefore(placed, scopes, index);
      const isHandler = one.section !== 'steps';
      const known = { ...scope, steps, ...(isHandler && { error: errorScope }) };
      const unknown = {
        ...absent,
        ...(!isHandler && { error: 'only the steps of onError and finally know what has failed' }),
      };
      const checkWith = (item?: ScopeType): CheckExpression =>
        createExpressionCheck(
          { ...known, ...(item && { item, index: valueOf('int') }) },
          item ? unknown : { ...unknown, item: noItem, index: noItem },
          item ? new Map() : environments,
        );
      return checkStep(one, checkWith, context);
    }),
    ...checkOutputs(outputs, createExpressionCheck(...scopeOfOutputs(placed, scopes, { scope, absent }))),
  ];
}

function placedSteps(template: WrittenTemplate): PlacedStep[] {
  return sections.flatMap((section) =>
    (template[section] ?? []).map((step, index): PlacedStep => ({ step, section, path: [section, index] })),
  );
}

type CommonScope = ReturnType<typeof commonScope>;

/** What the outputs of a workflow can name: all steps have ended. */
function scopeOfOutputs(
  placed: readonly PlacedStep[],
  scopes: readonly ScopeType[],
  { scope, absent }: CommonScope,
): [CommonScope['scope'], CommonScope['absent']] {
  const noError = 'a workflow that has failed gives no outputs';
  return [
    { ...scope, steps: stepsBefore(placed, scopes, placed.length) },
    { ...absent, error: noError, item: noItem, index: noItem },
  ];
}

/** What can be named of a step. `trail`: the workflows that have led to it, none of which it can run. */
function scopeOfStep(step: WrittenStep, { workflows }: TemplateContext, trail: readonly string[]): ScopeType {
  const name = calledBy(step);
  const called = name === undefined || trail.includes(name) ? undefined : workflows?.get(name);
  if (name === undefined || !called) return stepScope(step);
  const known = outputScopes.get(called);
  if (known) return stepScope(step, known);
  const placed = placedSteps(called);
  const scopes = placed.map((inner) => scopeOfStep(inner.step, { workflows }, [...trail, name]));
  const common = commonScope({}, called.inputs ?? {});
  const check = createExpressionCheck(...scopeOfOutputs(placed, scopes, common));
  const outputs = outputsScope(called.outputs ?? {}, check);
  outputScopes.set(called, outputs);
  return stepScope(step, outputs);
}

/** Templates of one configuration belong together: they are read again for another one. */
const outputScopes = new WeakMap<WrittenTemplate, ScopeType>();

const waitsForItems = 'a step that waits has no foreach: the job waits as a whole';
const noItem = 'only the parameters of a step with foreach have one';

/** `checkWith`: checks expressions that can name an item of this type, if there is one. */
function checkStep(
  { step, path }: PlacedStep,
  checkWith: (item?: ScopeType) => CheckExpression,
  context: TemplateContext,
): TemplateFault[] {
  const { files, entities } = context;
  const outside = checkWith();
  const list = step.foreach === undefined ? undefined : checkForeach(step.foreach, [...path, 'foreach'], outside);
  const check = list ? checkWith(list.item) : outside;
  return [
    ...(typeof step.if === 'string' ? checkCondition(step.if, [...path, 'if'], outside) : []),
    ...(list?.faults ?? []),
    ...(list && isWaitingTask(step.uses) ? [{ path: [...path, 'foreach'], message: waitsForItems }] : []),
    ...checkValue(step.with, [...path, 'with'], check),
    ...checkParameters(step, [...path, 'with'], check),
    ...checkCall(step, path, { check, context }),
    ...checkPlaces(step, [...path, 'with'], files),
    ...checkReferences(step, [...path, 'with'], entities),
    ...checkSubmission(step, [...path, 'with'], entities),
  ];
}

/** The steps that are over when this one runs. The others are named, to say why they cannot be used. */
function stepsBefore(placed: readonly PlacedStep[], scopes: readonly ScopeType[], position: number): ScopeType {
  const fields: Record<string, ScopeType> = {};
  const absent: Record<string, string> = {};
  for (const [index, { step }] of placed.entries()) {
    const scope = scopes[index];
    if (index < position && scope) fields[step.name] = scope;
    else absent[step.name] = index === position ? 'it is this step' : 'the step runs later';
  }
  return objectOf(fields, absent);
}

/** Names that occur twice, at least once outside of `steps`, whose own names are checked with the other entities. */
function repeatedNames(placed: readonly PlacedStep[]): TemplateFault[] {
  const first = new Map<string, PlacedStep>();
  return placed.flatMap((one) => {
    const before = first.get(one.step.name);
    if (before === undefined) first.set(one.step.name, one);
    if (before === undefined || one.section === 'steps') return [];
    const message = `the step ${one.step.name} already exists in ${before.section}`;
    return [{ path: [...one.path, 'name'], message }];
  });
}

function checkDefaults(inputs: Readonly<Record<string, WorkflowInput>>): TemplateFault[] {
  return Object.entries(inputs).flatMap(([name, input]) => {
    if (input.default === undefined) return [];
    const converted = convertInput(input.default, input);
    return 'fault' in converted ? [{ path: ['inputs', name, 'default'], message: converted.fault }] : [];
  });
}
