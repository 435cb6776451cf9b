import type { StoredStep } from '@waybill/contracts/configuration/workflow-template';
import { isWaitingTask } from '@waybill/contracts/tasks/task-specifications';
import { withCorrelation } from '@waybill/service-kit/telemetry/correlation';
import type { ItemEnd, StepEnd } from '@waybill/workflow/run/job-scope';
import { planNext, staleHandlers, type StepOutcome } from '@waybill/workflow/run/plan-next';
import { readPlace } from '@waybill/workflow/run/step-place';
import type {
  ClaimedJob,
  Hold,
  JobLedger,
  StepOutputs,
  StepProgress,
  StepResult,
} from '../../domain/jobs/job-ledger.ts';
import type { Job } from '../../domain/jobs/job.ts';
import type { JobManagerEvents } from '../../events.ts';
import type { StepRunner } from './run-step.ts';
import type { StepRun } from './step-run.ts';

/** The dependencies of running jobs. */
export interface JobRunnerOptions {
  readonly ledger: JobLedger;
  readonly runStep: StepRunner;
  readonly events: JobManagerEvents;
}

/** Runs claimed jobs. `onWorkDone`: called when nothing is left to do but to write down that the job is completed. */
export type JobRunner = (claimed: ClaimedJob, signal: AbortSignal, onWorkDone?: () => void) => Promise<void>;

/**
 * Runs the steps of a job, from the first unfinished one. Every step's result is durable before the next begins. It does not
 * throw: if the database fails, the job keeps its lease and is taken over when the lease expires.
 */
export function createJobRunner({ ledger, runStep, events }: JobRunnerOptions): JobRunner {
  const runFrom: JobRunner = async ({ job, hold, begunBefore }, signal, onWorkDone) => {
    events.jobClaimed(job, begunBefore);
    const { steps } = job.workflow;
    // A job that has waited at a step is claimed like one that has not begun.
    const mayHaveBegun = begunBefore || steps.some(({ uses }) => isWaitingTask(uses));
    const begun = mayHaveBegun
      ? await resume(ledger, job, hold)
      : { done: new Map<number, StepEnd>(), items: noItems, kept: nothingKept };
    if (!begun) return events.jobLost(job);
    const { done } = begun;
    for (let next = planNext(steps, done); next.kind === 'run'; next = planNext(steps, done)) {
      const { position } = next;
      const step = steps[position];
      if (!step) throw new Error(`the workflow has no step ${position}`);
      const result = await runStep({ job, hold, position, step, done, ...keptAt(begun, position) }, signal);
      if (!result) return;
      done.set(position, endOf(step, result));
      if (result.status !== 'COMPLETED') continue;
      const { outputs, log } = result;
      const after = planNext(steps, done);
      const isCompleted = after.kind === 'end' && after.failed === undefined;
      if (isCompleted) onWorkDone?.();
      const kept = isCompleted
        ? await ledger.completeJob(hold, position, outputs, completionMessage(done), log)
        : await ledger.completeStep(hold, position, outputs, log);
      if (!kept) return events.jobLost(job);
      if (isCompleted) return events.jobCompleted(job);
    }
    onWorkDone?.();
    await endJob({ ledger, events }, { job, hold }, done);
  };

  return (claimed, signal, onWorkDone) => {
    const { id: jobId, dfic, submittedBy: userName } = claimed.job;
    return withCorrelation({ jobId, dfiid: dfic.dfiid, lcid: dfic.lcid, userName }, async () => {
      try {
        await runFrom(claimed, signal, onWorkDone);
      } catch (error) {
        events.jobStuck(claimed.job, error);
      }
    });
  };
}

/** What was begun of the items of steps, by their positions and numbers. */
type BegunItems = ReadonlyMap<number, ReadonlyMap<number, StepProgress>>;

const noItems: BegunItems = new Map();

const nothingKept: Resumption['kept'] = new Map();

function keptAt({ items, kept }: Resumption, position: number): Pick<StepRun, 'items' | 'kept'> {
  const [ofItems, ofStep] = [items.get(position), kept.get(position)];
  return { ...(ofItems && { items: ofItems }), ...(ofStep && { kept: ofStep }) };
}

/** What a job has done before. */
interface Resumption {
  /** The steps that have ended. */
  readonly done: Map<number, StepEnd>;
  readonly items: BegunItems;
  /** What steps that have not ended keep, by their positions. */
  readonly kept: ReadonlyMap<number, StepOutputs>;
}

/** Reads what the job has done; `undefined` if the hold is lost. Steps that ran for an earlier failure are forgotten. */
async function resume(ledger: JobLedger, job: Job, hold: Hold): Promise<Resumption | undefined> {
  const { steps } = job.workflow;
  const begun = new Map((await ledger.stepsOf(job.id)).map((step) => [step.position, step]));
  const stale = staleHandlers(steps, begun);
  if (stale.length > 0 && !(await ledger.forgetSteps(hold, stale))) return undefined;
  for (const position of stale) begun.delete(position);
  const hasItems = steps.some(({ foreach }) => foreach !== undefined);
  const items = hasItems ? groupItems(await ledger.itemsOf(job.id)) : noItems;
  const done = new Map<number, StepEnd>();
  const kept = new Map<number, StepOutputs>();
  for (const [position, { name, task, status, outputs, error }] of begun) {
    if (!isEnded(status)) {
      kept.set(position, outputs);
      continue;
    }
    const ends = steps[position]?.foreach === undefined ? {} : { items: endsOf(items.get(position)) };
    done.set(position, { name, task, status, outputs, error, ...ends });
  }
  return { done, items, kept };
}

function groupItems(all: readonly StepProgress[]): BegunItems {
  const groups = new Map<number, Map<number, StepProgress>>();
  for (const progress of all) {
    const { position, item = 0 } = readPlace(progress.position);
    const group = groups.get(position) ?? new Map<number, StepProgress>();
    groups.set(position, group.set(item, progress));
  }
  return groups;
}

function endsOf(items: ReadonlyMap<number, StepProgress> = new Map()): ItemEnd[] {
  return [...items].flatMap(([index, { status, outputs, error }]) =>
    status === 'COMPLETED' || status === 'FAILED' ? [{ index, status, outputs, error }] : [],
  );
}

function isEnded(status: StepProgress['status']): status is StepOutcome {
  return status === 'COMPLETED' || status === 'FAILED' || status === 'SKIPPED';
}

function endOf({ name, uses: task }: StoredStep, result: StepResult): StepEnd {
  const { status } = result;
  return {
    name,
    task,
    status,
    outputs: status === 'COMPLETED' ? result.outputs : {},
    error: status === 'FAILED' ? result.error : '',
    ...('items' in result && { items: result.items }),
  };
}

/** Ends a job whose last step was skipped or has failed. */
async function endJob(
  { ledger, events }: Pick<JobRunnerOptions, 'ledger' | 'events'>,
  { job, hold }: { job: Job; hold: Hold },
  done: ReadonlyMap<number, StepEnd>,
): Promise<void> {
  const { steps } = job.workflow;
  const next = planNext(steps, done);
  const failed = next.kind === 'end' ? next.failed : undefined;
  if (failed === undefined) {
    if (await ledger.completeEndedJob(hold, completionMessage(done))) return events.jobCompleted(job);
    return events.jobLost(job);
  }
  const reopened = [...done].flatMap(([position, { status }]) =>
    status === 'FAILED' && steps[position]?.continueOnError !== true ? [position] : [],
  );
  if (await ledger.failEndedJob(hold, reopened, done.get(failed)?.error ?? '')) return events.jobFailed(job);
  return events.jobLost(job);
}

function completionMessage(done: ReadonlyMap<number, StepEnd>): string {
  const count = (wanted: StepEnd['status']): number =>
    [...done.values()].filter(({ status }) => status === wanted).length;
  const [skipped, failed] = [count('SKIPPED'), count('FAILED')];
  const others = [...(skipped > 0 ? [`${skipped} skipped`] : []), ...(failed > 0 ? [`${failed} failed`] : [])];
  return `All steps are done (${[done.size, ...others].join(', ')})`;
}
