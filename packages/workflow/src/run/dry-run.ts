import type { WorkflowTemplate } from '@waybill/contracts/configuration/workflow-template';
import type { GivenRun, StepStub } from '@waybill/contracts/configuration/workflow-test';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { taskSpecifications } from '@waybill/contracts/tasks/task-specifications';
import { bindInputs } from './bind-inputs.ts';
import { isConditionMet } from './evaluate-condition.ts';
import { describeFile } from './job-file.ts';
import { isInteger, outputShapeOf, type ScopeSource, scopeOfJob, type StepEnd } from './job-scope.ts';
import { planNext } from './plan-next.ts';
import { storedSteps } from './stored-steps.ts';
import { evaluateParameters } from './task-parameters.ts';

/** What would become of a step. */
export interface DryStep extends StepEnd {
  readonly section: 'steps' | 'onError' | 'finally';
  /** The evaluated parameters; absent if it would not run, or if they cannot be evaluated. */
  readonly with?: Readonly<Record<string, unknown>>;
}

/** What a workflow would do. */
export interface DryRun {
  readonly status: 'COMPLETED' | 'ERROR';
  /** Why it would end in ERROR; empty otherwise. */
  readonly message: string;
  /** All steps, in the order of the template. */
  readonly steps: readonly DryStep[];
}

/** The contract and the action of an imagined job. */
export interface DryAction {
  readonly contract: string;
  readonly action: string;
  readonly actor: string;
  readonly queue: string;
}

const imagined: DryAction = { contract: 'contract', action: 'action', actor: 'actor', queue: 'Default Queue' };
const imaginedNow = '2026-01-01T00:00:00.000Z';

/**
 * What a workflow would do: the conditions and parameters of its steps are evaluated, and no task runs. A step has the outputs
 * that `given` has for it, or placeholders. @throws CodedError `validation_failed`: inputs are missing or wrong
 */
export function dryRun(template: WorkflowTemplate, given: GivenRun, action: DryAction = imagined): DryRun {
  const steps = storedSteps(template);
  const source = sourceOf(template, given, action);
  const done = new Map<number, DryStep>();
  const sectionAt = (position: number): DryStep['section'] => steps[position]?.section ?? 'steps';
  const waiting = (position: number): DryStep => {
    const { name = '', uses: task = '' } = steps[position] ?? {};
    return { name, task, section: sectionAt(position), status: 'WAITING', outputs: {}, error: '' };
  };
  const all = (): DryStep[] => steps.map((_, position) => done.get(position) ?? waiting(position));
  let next = planNext(steps, done);
  for (; next.kind === 'run'; next = planNext(steps, done)) {
    const { position } = next;
    const step = steps[position];
    if (!step) break;
    const before = waiting(position);
    const scope = scopeOfJob({ ...source, steps: all() });
    const stub = Object.hasOwn(given.steps, step.name) ? given.steps[step.name] : undefined;
    done.set(position, { ...before, ...attempt(() => runStep(step, scope, stub)) });
  }
  const failed = next.kind === 'end' && next.failed !== undefined ? done.get(next.failed) : undefined;
  return { status: failed ? 'ERROR' : 'COMPLETED', message: failed?.error ?? '', steps: all() };
}

type StepOutcome = Partial<Pick<DryStep, 'with' | 'outputs' | 'error'>> & Pick<DryStep, 'status'>;

function attempt(run: () => StepOutcome): StepOutcome {
  try {
    return run();
  } catch (error) {
    if (isCodedError(error)) return { status: 'FAILED', error: error.message };
    throw error;
  }
}

function runStep(
  step: ReturnType<typeof storedSteps>[number],
  scope: ReturnType<typeof scopeOfJob>,
  stub: StepStub | undefined,
): StepOutcome {
  if (!isConditionMet(step.if, scope)) return { status: 'SKIPPED' };
  const parameters = evaluateParameters(step.with, scope, taskSpecifications[step.uses].parameters);
  if (stub?.error !== undefined) return { status: 'FAILED', error: stub.error, with: parameters };
  const outputs = { ...placeholders(step.name, step.uses, parameters), ...stub?.outputs };
  return { status: 'COMPLETED', outputs, with: parameters };
}

/** Outputs that nobody has given: the path of a written file is known, the rest is named. */
function placeholders(
  step: string,
  task: string,
  parameters: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const path = parameters['target'] ?? parameters['path'] ?? parameters['source'];
  return Object.fromEntries(
    Object.entries(outputShapeOf(task) ?? {}).map(([name, output]) => {
      if (name === 'path' && path !== undefined) return [name, path];
      return [name, isInteger(output) ? '0' : `<${name} of ${step}>`];
    }),
  );
}

function sourceOf({ inputs = {} }: WorkflowTemplate, given: GivenRun, action: DryAction): Omit<ScopeSource, 'steps'> {
  const now = given.now ?? imaginedNow;
  const context = { dfiid: '<dfiid>', lcid: '<lcid>' };
  return {
    ...(given.file !== undefined && { file: describeFile(given.file, '1', String(given.size)) }),
    variables: bindInputs(inputs, given.variables),
    dfic: { ...context, userAttrs: {} },
    job: { id: 1, ...action, ...context, submittedBy: 'dry-run', createdAt: now },
    now: new Date(now),
  };
}
