import { workflowCall } from '@waybill/contracts/configuration/workflow-step';
import type { WorkflowOutput, WorkflowTemplate } from '@waybill/contracts/configuration/workflow-template';
import type { GivenRun, StepStub } from '@waybill/contracts/configuration/workflow-test';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { taskSpecifications } from '@waybill/contracts/tasks/task-specifications';
import { bindInputs } from './bind-inputs.ts';
import { evaluateInputs, evaluateOutputs } from './call-inputs.ts';
import { isConditionMet } from './evaluate-condition.ts';
import { evaluateItems, itemRulesOf } from './foreach-items.ts';
import { imagineTask } from './imagine-task.ts';
import { describeFile } from './job-file.ts';
import { type ItemEnd, type ScopeSource, scopeOfJob, type StepEnd, type StepItem } from './job-scope.ts';
import { planNext } from './plan-next.ts';
import { storedSteps, type Workflows } from './stored-steps.ts';
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
  /** Of the workflow; empty if it would end in ERROR. */
  readonly outputs: Readonly<Record<string, unknown>>;
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
 * What a workflow would do: the conditions and parameters of its steps are evaluated. Tasks that touch nothing run, as
 * `imagineTask` says. A step with another task has the outputs that `given` has for it, or placeholders. A step that runs another
 * workflow is followed by the steps of that workflow, such as `pack/compress`, unless `given` has something for it.
 * @throws CodedError `validation_failed`: inputs are missing or wrong
 */
export function dryRun(
  template: WorkflowTemplate,
  given: GivenRun,
  { action = imagined, workflows }: { readonly action?: DryAction; readonly workflows?: Workflows } = {},
): DryRun {
  const steps = storedSteps(template, workflows);
  const source = sourceOf(template, given, action);
  const { outputs = {} } = template;
  return runFrame({ steps, stubs: given.steps }, { parent: undefined, title: '', source, outputs });
}

interface Imagined {
  readonly steps: readonly Step[];
  readonly stubs: GivenRun['steps'];
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
  const waiting = (position: number): Omit<DryStep, 'section'> => {
    const { name = '', uses: task = '' } = steps[position] ?? {};
    return { name, task, status: 'WAITING', outputs: {}, error: '' };
  };
  const all = (): StepEnd[] => own.map((position) => ends.get(position) ?? waiting(position));
  let next = planNext(steps, ends, parent);
  for (; next.kind === 'run'; next = planNext(steps, ends, parent)) {
    const { position } = next;
    const step = steps[position];
    if (!step) break;
    const scopeAt = (item?: StepItem): Scope => scopeOfJob({ ...source, steps: all(), item });
    const stub = Object.hasOwn(run.stubs, title + step.name) ? run.stubs[title + step.name] : undefined;
    const runCall = (inner: Omit<Frame, 'parent' | 'outputs'>): DryRun =>
      runFrame(run, { ...inner, parent: position, outputs: step.call?.outputs ?? {} });
    const { inner, ...outcome } = attempt(() => runStep({ step, title, source, stub, runCall }, scopeAt));
    const untouched = stub ? [] : waitingSteps(steps, position, title).slice(1);
    const end = { ...waiting(position), ...outcome };
    ends.set(position, end);
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
function waitingSteps(steps: readonly Step[], position: number, title: string): DryStep[] {
  const { name = '', uses: task = '', section = 'steps' } = steps[position] ?? {};
  const inner = [...steps.keys()].filter((one) => steps[one]?.parent === position);
  return [
    { name: title + name, task, section, status: 'WAITING', outputs: {}, error: '' },
    ...inner.flatMap((one) => waitingSteps(steps, one, `${title}${name}/`)),
  ];
}

type Scope = ReturnType<typeof scopeOfJob>;
type Step = ReturnType<typeof storedSteps>[number];
type StepOutcome = Partial<Pick<DryStep, 'with' | 'outputs' | 'error' | 'items'>> & Pick<DryStep, 'status'> & Inner;

/** The steps of the workflow that the step runs. */
interface Inner {
  readonly inner?: readonly DryStep[];
}

function attempt<O>(
  run: () => O,
): O | { readonly status: 'FAILED'; readonly error: string; readonly inner?: undefined } {
  try {
    return run();
  } catch (error) {
    if (isCodedError(error)) return { status: 'FAILED', error: error.message };
    throw error;
  }
}

interface StepToRun {
  readonly step: Step;
  readonly title: string;
  readonly source: Frame['source'];
  readonly stub: StepStub | undefined;
  readonly runCall: (inner: Omit<Frame, 'parent' | 'outputs'>) => DryRun;
}

function runStep(run: StepToRun, scopeAt: (item?: StepItem) => Scope): StepOutcome {
  const { step, title, stub } = run;
  if (!isConditionMet(step.if, scopeAt())) return { status: 'SKIPPED' };
  const name = title + step.name;
  if (step.foreach === undefined) return runOnce(run, { name, scope: scopeAt(), stub });
  const rules = itemRulesOf(step.foreach);
  const items: DryItem[] = [];
  const inner: DryStep[] = [];
  for (const [index, value] of evaluateItems(rules, scopeAt()).entries()) {
    const { items: [...stubs] = [], ...ofAll } = stub ?? {};
    const once = { name: `${name}[${index}]`, scope: scopeAt({ value, index }), stub: { ...ofAll, ...stubs[index] } };
    const { inner: ofItem = [], ...item } = attempt((): Once => runOnce(run, once));
    items.push({ index, outputs: {}, error: '', ...item });
    inner.push(...ofItem);
    if (item.status === 'FAILED' && !rules.continueOnError) break;
  }
  const failed = items.find(({ status }) => status === 'FAILED');
  return failed ? { status: 'FAILED', error: failed.error, items, inner } : { status: 'COMPLETED', items, inner };
}

type Once = Partial<Pick<DryItem, 'with' | 'outputs' | 'error'>> & Pick<DryItem, 'status'> & Inner;

interface OneRun {
  readonly name: string;
  readonly scope: Scope;
  readonly stub: Omit<StepStub, 'items'> | undefined;
}

function runOnce({ step, source, runCall }: StepToRun, { name, scope, stub }: OneRun): Once {
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
    return { status: status === 'ERROR' ? 'FAILED' : status, error, outputs, with: parameters, inner: steps };
  }
  const task = { step: step.name, task: uses, parameters, now: source.now, given: stub?.outputs };
  const { inner: _none, ...end } = attempt((): Once => ({ status: 'COMPLETED', outputs: imagineTask(task) }));
  return { ...end, with: parameters };
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
