import { workflowCall } from '@waybill/contracts/configuration/workflow-step';
import type { WorkflowInput } from '@waybill/contracts/configuration/workflow-template';
import { suggestion } from '@waybill/contracts/errors/nearest-name';
import { convertInput } from '../run/bind-inputs.ts';
import { stepsOfJob } from '../run/step-place.ts';
import type { Workflows } from '../run/stored-steps.ts';
import { depthAtMost, summarizeWorkflow } from './called-workflows.ts';
import type { CheckExpression } from './check-expression.ts';
import { checkText, hasAnyExpression } from './check-value.ts';
import { describeJsonType, describeType, jsonTypeOf } from './scope-type.ts';
import type { TemplateContext } from './template-context.ts';
import type { TemplateFault, WrittenStep, WrittenTemplate } from './template-fault.ts';

type Path = TemplateFault['path'];

/** Checks a step that runs another workflow: its name, its inputs, and what it runs in turn. `check`: expressions in `with`. */
export function checkCall(
  step: WrittenStep,
  path: Path,
  { check, context }: { readonly check: CheckExpression; readonly context: TemplateContext },
): TemplateFault[] {
  const { uses, workflow: name } = step;
  const place = [...path, 'workflow'];
  if (uses !== workflowCall) {
    if (name === undefined) return [];
    return [{ path: place, message: `the step uses the task ${uses}: it cannot run a workflow too` }];
  }
  if (name === undefined) return [{ path, message: 'uses or workflow is missing: name a task or another workflow' }];
  const { workflows } = context;
  if (!workflows || context.entities?.mayExist('Workflow Template', name)) return [];
  const called = workflows.get(name);
  if (!called) {
    return [{ path: place, message: `there is no workflow template ${name}${suggestion(name, workflows.keys())}` }];
  }
  const inputs = called.inputs ?? {};
  return [
    ...checkReach(step, name, { path, workflows, own: context.name }),
    ...Object.entries(step.with).flatMap(([input, value]) => {
      const declared = Object.hasOwn(inputs, input) ? inputs[input] : undefined;
      if (declared) return checkInput(value, declared, [...path, 'with', input], check);
      const known = Object.keys(inputs);
      const others = suggestion(input, known) || (known.length > 0 ? `; known are ${known.join(', ')}` : '');
      return [{ path: [...path, 'with', input], message: `the workflow ${name} has no input ${input}${others}` }];
    }),
    ...Object.entries(inputs)
      .filter(([input, { default: value }]) => value === undefined && !Object.hasOwn(step.with, input))
      .map(([input]) => ({ path: [...path, 'with'], message: `the workflow ${name} needs the input ${input}` })),
  ];
}

const inputKinds = {
  text: ['string'],
  integer: ['integer', 'string'],
  boolean: ['boolean', 'string'],
  list: ['array'],
  map: ['object'],
} as const satisfies Record<WorkflowInput['type'], readonly string[]>;

/** A text may become an integer or a boolean: the job tells. */
function checkInput(value: unknown, input: WorkflowInput, path: Path, check: CheckExpression): TemplateFault[] {
  if (!hasAnyExpression(value)) {
    const converted = convertInput(value, input);
    return 'fault' in converted ? [{ path, message: converted.fault }] : [];
  }
  const given = typeof value === 'string' ? jsonTypeOf(checkText(value, path, check).type) : jsonKindOf(value);
  const wanted: readonly string[] = inputKinds[input.type];
  if (given === undefined || wanted.includes(given)) return [];
  return [
    { path, message: `must be ${describeJsonType(wanted[0] ?? '')}, and the expression is ${describeJsonType(given)}` },
  ];
}

function jsonKindOf(value: unknown): string {
  return Array.isArray(value) ? 'array' : 'object';
}

/** What is wrong with the steps that this one leads to. */
function checkReach(
  step: WrittenStep,
  name: string,
  { path, workflows, own }: { path: Path; workflows: Workflows<WrittenTemplate>; own: string | undefined },
): TemplateFault[] {
  const { cycle, depth, steps, waitsAt, loopsAt } = summarizeWorkflow(name, workflows, own === undefined ? [] : [own]);
  const fault = (message: string, field = 'workflow'): TemplateFault[] => [{ path: [...path, field], message }];
  // A circle is reported by its members; nothing else can be said of what leads into it.
  if (cycle) return cycle[0] === own ? fault(`the workflow runs itself: ${cycle.join(' -> ')}`) : [];
  if (depth >= depthAtMost && own !== undefined) {
    return fault(`workflows run each other in ${depth + 1} levels; ${depthAtMost} are allowed`);
  }
  if (steps >= stepsOfJob)
    return fault(`the workflow ${name} has ${steps} steps with those that it runs; ${stepsOfJob - 1} are allowed`);
  if (step.foreach === undefined) return [];
  return [
    ...(loopsAt === undefined
      ? []
      : fault(
          `the step ${loopsAt} of the workflow ${name} has foreach too: lists within lists are not possible`,
          'foreach',
        )),
    ...(waitsAt === undefined
      ? []
      : fault(
          `the workflow ${name} waits at its step ${waitsAt}: the job waits as a whole, not for one item`,
          'foreach',
        )),
  ];
}

/** The outputs of a workflow that are not as their types say. */
export function describeMismatch(wanted: WorkflowInput['type'], type: string): string | undefined {
  const given = jsonTypeOf(type);
  const kinds: readonly string[] = inputKinds[wanted];
  if (given === undefined || kinds.includes(given)) return undefined;
  return `must be ${describeJsonType(kinds[0] ?? '')}, and the expression is ${describeType(type)}`;
}
