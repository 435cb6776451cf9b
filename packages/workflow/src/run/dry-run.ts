import type { WorkflowTemplate } from '@waybill/contracts/configuration/workflow-template';
import type { GivenRun, StepStub } from '@waybill/contracts/configuration/workflow-test';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { taskSpecifications } from '@waybill/contracts/tasks/task-specifications';
import { bindInputs } from './bind-inputs.ts';
import { isConditionMet } from './evaluate-condition.ts';
import { evaluateItems, itemRulesOf } from './foreach-items.ts';
import { describeFile } from './job-file.ts';
import {
  isInteger,
  type ItemEnd,
  outputShapeOf,
  type ScopeSource,
  scopeOfJob,
  type StepEnd,
  type StepItem,
} from './job-scope.ts';
import { planNext } from './plan-next.ts';
import { storedSteps } from './stored-steps.ts';
import { evaluateParameters } from './task-parameters.ts';

/** What would become of a step. */
export interface DryStep extends Omit<StepEnd, 'items'> {
  readonly section: 'steps' | 'onError' | 'finally';
  /** The evaluated parameters; absent if it would not run, or if they cannot be evaluated. */
  readonly with?: Readonly<Record<string, unknown>>;
  /** The items of a step with `foreach` that would run. */
  readonly items?: readonly DryItem[];
}

/** What would become of an item. */
export interface DryItem extends ItemEnd {
  /** The evaluated parameters; absent if they cannot be evaluated. */
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
    const ends = all();
    const scopeAt = (item?: StepItem): Scope => scopeOfJob({ ...source, steps: ends, item });
    const stub = Object.hasOwn(given.steps, step.name) ? given.steps[step.name] : undefined;
    done.set(position, { ...before, ...attempt(() => runStep(step, scopeAt, stub)) });
  }
  const failed = next.kind === 'end' && next.failed !== undefined ? done.get(next.failed) : undefined;
  return { status: failed ? 'ERROR' : 'COMPLETED', message: failed?.error ?? '', steps: all() };
}

type Scope = ReturnType<typeof scopeOfJob>;
type Step = ReturnType<typeof storedSteps>[number];
type StepOutcome = Partial<Pick<DryStep, 'with' | 'outputs' | 'error' | 'items'>> & Pick<DryStep, 'status'>;

function attempt<O>(run: () => O): O | { readonly status: 'FAILED'; readonly error: string } {
  try {
    return run();
  } catch (error) {
    if (isCodedError(error)) return { status: 'FAILED', error: error.message };
    throw error;
  }
}

function runStep(step: Step, scopeAt: (item?: StepItem) => Scope, stub: StepStub | undefined): StepOutcome {
  if (!isConditionMet(step.if, scopeAt())) return { status: 'SKIPPED' };
  if (step.foreach === undefined) return runOnce(step, scopeAt(), stub);
  const rules = itemRulesOf(step.foreach);
  const items: DryItem[] = [];
  for (const [index, value] of evaluateItems(rules, scopeAt()).entries()) {
    const { items: [...stubs] = [], ...ofAll } = stub ?? {};
    const item = attempt(() => runOnce(step, scopeAt({ value, index }), { ...ofAll, ...stubs[index] }));
    items.push({ index, outputs: {}, error: '', ...item });
    if (item.status === 'FAILED' && !rules.continueOnError) break;
  }
  const failed = items.find(({ status }) => status === 'FAILED');
  return failed ? { status: 'FAILED', error: failed.error, items } : { status: 'COMPLETED', items };
}

type Once = Partial<Pick<DryItem, 'with' | 'outputs' | 'error'>> & Pick<DryItem, 'status'>;

function runOnce(step: Step, scope: Scope, stub: Omit<StepStub, 'items'> | undefined): Once {
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
