import type {
  StoredStep,
  WorkflowInput,
  WorkflowOutput,
  WorkflowTemplate,
} from '@waybill/contracts/configuration/workflow-template';
import type { GivenRun } from '@waybill/contracts/configuration/workflow-test';
import type { ExpressionScope } from '../expressions/expression.ts';
import { evaluateOutputs } from './call-inputs.ts';
import { type DryBudget, type DryLimits, withinDryLimits } from './dry-budget.ts';
import type { DryRun, DryStep } from './dry-outcome.ts';
import { type DryAction, type DryJob, sourceOfDryRun } from './dry-source.ts';
import { attempt, type InnerFrame, runDryStep } from './dry-step.ts';
import { type ScopeSource, scopeOfJob, type StepEnd, type StepItem } from './job-scope.ts';
import { createPlaceholderUses } from './placeholder-uses.ts';
import { planNext } from './plan-next.ts';
import { storedSteps, type Workflows } from './stored-steps.ts';

/** A workflow with the steps of all that it runs, as a revision stores it. */
export interface DryWorkflow {
  readonly steps: readonly StoredStep[];
  readonly inputs: Readonly<Record<string, WorkflowInput>>;
  readonly outputs: Readonly<Record<string, WorkflowOutput>>;
}

/**
 * What a workflow would do: the conditions and parameters of its steps are evaluated. Tasks that touch nothing run, as
 * `imagineTask` says. A step with another task has the outputs that `given` has for it, or placeholders. A step that runs another
 * workflow is followed by the steps of that workflow, such as `pack/compress`, unless `given` has something for it.
 * @throws CodedError `validation_failed`: inputs are missing or wrong
 */
export function dryRun(
  template: WorkflowTemplate,
  given: GivenRun,
  { action, workflows }: { readonly action?: DryAction; readonly workflows?: Workflows } = {},
): DryRun {
  const { inputs = {}, outputs = {} } = template;
  return dryRunRevision({ steps: storedSteps(template, workflows), inputs, outputs }, given, { action });
}

/**
 * The same of a revision.
 * @throws CodedError `validation_failed`: inputs are missing or wrong, or the run takes more than `limits` allow
 */
export function dryRunRevision(
  { steps, inputs, outputs }: DryWorkflow,
  given: GivenRun,
  { limits, ...job }: DryJob & { readonly limits?: DryLimits } = {},
): DryRun {
  const source = sourceOfDryRun(inputs, given, job);
  return withinDryLimits(limits, (budget) =>
    runFrame({ steps, stubs: given.steps, budget }, { parent: undefined, title: '', source, outputs }),
  );
}

interface Imagined {
  readonly steps: readonly StoredStep[];
  readonly stubs: GivenRun['steps'];
  readonly budget: DryBudget;
}

/** The workflow itself, or one that a step runs. */
interface Frame {
  readonly parent: number | undefined;
  /** In front of the names of its steps. */
  readonly title: string;
  readonly source: Omit<ScopeSource, 'steps'>;
  readonly outputs: Readonly<Record<string, WorkflowOutput>>;
}

function runFrame(run: Imagined, frame: Frame): DryRun {
  const { steps } = run;
  const { parent, title, source } = frame;
  const own = [...steps.keys()].filter((position) => steps[position]?.parent === parent);
  const ends = new Map<number, Omit<DryStep, 'section'>>();
  const shown = new Map<number, readonly DryStep[]>();
  const placeholders = createPlaceholderUses();
  const waiting = (position: number): Omit<DryStep, 'section'> => {
    const { name = '', uses: task = '', if: condition } = steps[position] ?? {};
    return { name, task, status: 'WAITING', outputs: {}, error: '', ...(condition !== undefined && { condition }) };
  };
  const all = (): StepEnd[] => own.map((position) => ends.get(position) ?? waiting(position));
  let next = planNext(steps, ends, parent);
  for (; next.kind === 'run'; next = planNext(steps, ends, parent)) {
    const { position } = next;
    const step = steps[position];
    if (!step) break;
    const scopeAt = (item?: StepItem): ExpressionScope => scopeOfJob({ ...source, steps: all(), item });
    const stub = Object.hasOwn(run.stubs, title + step.name) ? run.stubs[title + step.name] : undefined;
    const runCall = (inner: InnerFrame): DryRun =>
      runFrame(run, { ...inner, parent: position, outputs: step.call?.outputs ?? {} });
    run.budget.spend('');
    const toRun = { step, title, source, stub, runCall, budget: run.budget };
    const dependsOn = placeholders.of(step);
    const { inner, ...outcome } = attempt(() => runDryStep(toRun, scopeAt));
    const untouched = stub ? [] : waitingSteps(steps, position, title).slice(1);
    const end = { ...waiting(position), ...outcome, ...(dependsOn.length > 0 && { dependsOn }) };
    ends.set(position, end);
    placeholders.note(step, { ...end, inner }, dependsOn);
    shown.set(position, [
      { ...end, name: title + step.name, section: step.section ?? 'steps' },
      ...(inner ?? untouched),
    ]);
  }
  const failed = next.kind === 'end' && next.failed !== undefined ? ends.get(next.failed) : undefined;
  const given = failed
    ? undefined
    : attempt(() => ({ values: evaluateOutputs(frame.outputs, scopeOfJob({ ...source, steps: all() })) }));
  const message = failed?.error ?? (given && 'error' in given ? given.error : '');
  const listed = own.flatMap((position) => shown.get(position) ?? waitingSteps(steps, position, title));
  const outputs = given && 'values' in given ? given.values : {};
  return { status: failed || message !== '' ? 'ERROR' : 'COMPLETED', message, steps: listed, outputs };
}

/** A step that does not run, with the steps of the workflow that it runs. */
function waitingSteps(steps: readonly StoredStep[], position: number, title: string): DryStep[] {
  const { name = '', uses: task = '', section = 'steps', if: condition } = steps[position] ?? {};
  const inner = [...steps.keys()].filter((one) => steps[one]?.parent === position);
  const step: DryStep = { name: title + name, task, section, status: 'WAITING', outputs: {}, error: '' };
  return [
    condition === undefined ? step : { ...step, condition },
    ...inner.flatMap((one) => waitingSteps(steps, one, `${title}${name}/`)),
  ];
}
