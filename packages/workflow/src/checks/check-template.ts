import type { WorkflowInput } from '@waybill/contracts/configuration/workflow-template';
import { isWaitingTask } from '@waybill/contracts/tasks/task-specifications';
import { convertInput } from '../run/bind-inputs.ts';
import { type CheckExpression, createExpressionCheck, type TypedEnvironments } from './check-expression.ts';
import { checkForeach } from './check-foreach.ts';
import { checkParameters } from './check-parameters.ts';
import { checkPlaces } from './check-places.ts';
import { checkCondition, checkValue } from './check-value.ts';
import { objectOf, type ScopeType, valueOf } from './scope-type.ts';
import { commonScope, errorScope, stepScope, type TemplateContext } from './template-context.ts';
import type { TemplateFault, WrittenStep } from './template-fault.ts';

/** A template as it was written. */
export interface WrittenTemplate {
  readonly inputs?: Readonly<Record<string, WorkflowInput>> | undefined;
  readonly steps: readonly WrittenStep[];
  readonly onError?: readonly WrittenStep[] | undefined;
  readonly finally?: readonly WrittenStep[] | undefined;
}

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
  const { inputs = {} } = template;
  const placed = sections.flatMap((section) =>
    (template[section] ?? []).map((step, index): PlacedStep => ({ step, section, path: [section, index] })),
  );
  const { scope, absent } = commonScope(context, inputs);
  const environments: TypedEnvironments = new Map();
  return [
    ...checkDefaults(inputs),
    ...repeatedNames(placed),
    ...placed.flatMap((one, index) => {
      const steps = stepsBefore(placed, index);
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
      return checkStep(one, checkWith, context.files);
    }),
  ];
}

const waitsForItems = 'a step that waits has no foreach: the job waits as a whole';
const noItem = 'only the parameters of a step with foreach have one';

/** `checkWith`: checks expressions that can name an item of this type, if there is one. */
function checkStep(
  { step, path }: PlacedStep,
  checkWith: (item?: ScopeType) => CheckExpression,
  files: TemplateContext['files'],
): TemplateFault[] {
  const outside = checkWith();
  const list = step.foreach === undefined ? undefined : checkForeach(step.foreach, [...path, 'foreach'], outside);
  const check = list ? checkWith(list.item) : outside;
  return [
    ...(typeof step.if === 'string' ? checkCondition(step.if, [...path, 'if'], outside) : []),
    ...(list?.faults ?? []),
    ...(list && isWaitingTask(step.uses) ? [{ path: [...path, 'foreach'], message: waitsForItems }] : []),
    ...checkValue(step.with, [...path, 'with'], check),
    ...checkParameters(step, [...path, 'with'], check),
    ...checkPlaces(step, [...path, 'with'], files),
  ];
}

/** The steps that are over when this one runs. The others are named, to say why they cannot be used. */
function stepsBefore(placed: readonly PlacedStep[], position: number): ScopeType {
  const fields: Record<string, ScopeType> = {};
  const absent: Record<string, string> = {};
  for (const [index, { step }] of placed.entries()) {
    if (index < position) fields[step.name] = stepScope(step);
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
