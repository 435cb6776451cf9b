import { workflowCall } from '@waybill/contracts/configuration/workflow-step';
import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import type { StepStub } from '@waybill/contracts/configuration/workflow-test';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { taskSpecifications } from '@waybill/contracts/tasks/task-specifications';
import type { ExpressionScope } from '../expressions/expression.ts';
import { evaluateInputs } from './call-inputs.ts';
import type { DryBudget } from './dry-budget.ts';
import type { DryItem, DryRun, DryStep } from './dry-outcome.ts';
import { isConditionMet } from './evaluate-condition.ts';
import { evaluateItems, itemRulesOf } from './foreach-items.ts';
import { imagineTask, originOfOutputs } from './imagine-task.ts';
import type { ScopeSource, StepItem } from './job-scope.ts';
import { evaluateParameters } from './task-parameters.ts';

type Scope = ExpressionScope;
type Shown = 'with' | 'outputs' | 'outputsFrom' | 'error';
type StepOutcome = Partial<Pick<DryStep, Shown | 'items'>> & Pick<DryStep, 'status'> & Inner;

/** The steps of the workflow that the step runs. */
interface Inner {
  readonly inner?: readonly DryStep[];
}

/** An expected failure as the end of a step. */
export function attempt<O>(
  run: () => O,
): O | { readonly status: 'FAILED'; readonly error: string; readonly inner?: undefined } {
  try {
    return run();
  } catch (error) {
    if (isCodedError(error)) return { status: 'FAILED', error: error.message };
    throw error;
  }
}

/** Where the steps of a workflow run that the step runs. */
export interface InnerFrame {
  /** In front of their names. */
  readonly title: string;
  readonly source: Omit<ScopeSource, 'steps'>;
}

/** A step, and what its run needs. */
export interface StepToRun {
  readonly step: StoredStep;
  readonly title: string;
  readonly source: Omit<ScopeSource, 'steps'>;
  readonly stub: StepStub | undefined;
  readonly runCall: (inner: InnerFrame) => DryRun;
  readonly budget: DryBudget;
}

/** What becomes of a step: its condition, its parameters for each item, and what its task would give. */
export function runDryStep(run: StepToRun, scopeAt: (item?: StepItem) => Scope): StepOutcome {
  const { step, title, stub } = run;
  if (!isConditionMet(step.if, scopeAt())) return { status: 'SKIPPED' };
  const name = title + step.name;
  if (step.foreach === undefined) return runOnce(run, { name, scope: scopeAt(), stub });
  const rules = itemRulesOf(step.foreach);
  const items: DryItem[] = [];
  const inner: DryStep[] = [];
  for (const [index, value] of evaluateItems(rules, scopeAt()).entries()) {
    const { items: [...stubs] = [], ...ofAll } = stub ?? {};
    run.budget.spend('');
    const once = { name: `${name}[${index}]`, scope: scopeAt({ value, index }), stub: { ...ofAll, ...stubs[index] } };
    const { inner: ofItem = [], ...item } = attempt((): Once => runOnce(run, once));
    items.push({ index, outputs: {}, error: '', ...item });
    inner.push(...ofItem);
    if (item.status === 'FAILED' && !rules.continueOnError) break;
  }
  const failed = items.find(({ status }) => status === 'FAILED');
  return failed ? { status: 'FAILED', error: failed.error, items, inner } : { status: 'COMPLETED', items, inner };
}

type Once = Partial<Pick<DryItem, Shown>> & Pick<DryItem, 'status'> & Inner;

interface OneRun {
  readonly name: string;
  readonly scope: Scope;
  readonly stub: Omit<StepStub, 'items'> | undefined;
}

/** What it shows counts, also if it fails. */
function runOnce(run: StepToRun, once: OneRun): Once {
  const outcome = evaluateOnce(run, once);
  const { with: parameters, outputs, error } = outcome;
  run.budget.spend([parameters, outputs, error]);
  return outcome;
}

function evaluateOnce({ step, source, runCall }: StepToRun, { name, scope, stub }: OneRun): Once {
  const { uses } = step;
  const parameters =
    uses === workflowCall
      ? evaluateInputs(step, scope)
      : evaluateParameters(step.with, scope, taskSpecifications[uses].parameters);
  if (stub?.error !== undefined) return { status: 'FAILED', error: stub.error, with: parameters };
  if (uses === workflowCall && stub?.outputs === undefined) {
    const {
      steps,
      status,
      message: error,
      outputs,
    } = runCall({
      title: `${name}/`,
      source: { ...source, variables: parameters },
    });
    const failed = status === 'ERROR';
    const from = failed ? {} : { outputsFrom: 'workflow' as const };
    return { status: failed ? 'FAILED' : status, error, outputs, ...from, with: parameters, inner: steps };
  }
  const task = { step: step.name, task: uses, parameters, now: source.now, given: stub?.outputs };
  const outputsFrom = originOfOutputs(task);
  const { inner: _none, ...end } = attempt((): Once => ({
    status: 'COMPLETED',
    outputs: imagineTask(task),
    outputsFrom,
  }));
  return { ...end, with: parameters };
}
