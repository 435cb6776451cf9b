import type { WorkflowInput } from '@waybill/contracts/configuration/workflow-template';
import { convertInput } from '../run/bind-inputs.ts';
import { createExpressionCheck, type TypedEnvironments } from './check-expression.ts';
import { checkParameters } from './check-parameters.ts';
import { checkPlaces } from './check-places.ts';
import { checkCondition, checkValue } from './check-value.ts';
import { objectOf, type ScopeType } from './scope-type.ts';
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
      const check = createExpressionCheck(
        { ...scope, steps, ...(isHandler && { error: errorScope }) },
        isHandler ? absent : { ...absent, error: 'only the steps of onError and finally know what has failed' },
        environments,
      );
      return checkStep(one, check, context.files);
    }),
  ];
}

function checkStep(
  { step, path }: PlacedStep,
  check: ReturnType<typeof createExpressionCheck>,
  files: TemplateContext['files'],
): TemplateFault[] {
  return [
    ...(typeof step.if === 'string' ? checkCondition(step.if, [...path, 'if'], check) : []),
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
    if (index < position) fields[step.name] = stepScope(step.uses);
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
