import type { JobId } from '@waybill/contracts/values/job-id';
import type { ItemEnd } from '@waybill/workflow/run/job-scope';
import type { QueueSettings } from '../queues/queue-settings.ts';
import type { StepWait } from '../queues/step-wait.ts';
import type { Job } from './job.ts';

/** The progress of a step. */
export interface StepProgress {
  readonly position: number;
  readonly name: string;
  readonly task: string;
  /** `FAILED`: for good, and the job goes on; `ERROR`: the job has ended there. */
  readonly status: 'WAITING' | 'RUNNING' | 'COMPLETED' | 'SKIPPED' | 'FAILED' | 'ERROR';
  readonly attempts: number;
  readonly outputs: StepOutputs;
  readonly error: string;
  /** Of the last attempt; absent if it was not begun, and of steps before this was recorded. */
  readonly begunAt?: Date | undefined;
  /** Of the last attempt; absent while it runs. */
  readonly endedAt?: Date | undefined;
  /** The evaluated parameters of the last attempt, shortened and without secrets. */
  readonly inputs: Readonly<Record<string, string>>;
  /** Of all attempts, the newest lines. */
  readonly log: readonly LogLine[];
}

/** What a task said while it ran. */
export interface LogLine {
  /** ISO 8601, by the clock of the worker. */
  readonly at: string;
  readonly attempt: number;
  readonly message: string;
}

/**
 * The right to work on a job: a fencing token. It is lost with the next claim and with every change of status; a
 * worker with an old one can write nothing.
 */
export interface Hold {
  readonly jobId: JobId;
  readonly fence: string;
}

/** A job that a worker has just claimed. */
export interface ClaimedJob {
  readonly job: Job;
  readonly hold: Hold;
  /** True if it was running before: the job of a killed worker, a resumed one, or one whose delay is over. */
  readonly begunBefore: boolean;
  /** A worker was lost while it ran this job: it runs in a process of its own, so that it can kill no other job. */
  readonly suspect: boolean;
  /** How often such a process has died. */
  readonly lossesAlone: number;
}

/** What came of beginning a step: how often it was begun, has failed, and was lost with its process. */
export interface StepAttempt {
  readonly attempts: number;
  readonly failures: number;
  readonly losses: number;
  /** How often the process was lost that ran nothing else. */
  readonly lossesAlone: number;
}

/** A step that is about to be worked on, or an item of one. */
export interface StepIdentity {
  /** A place as `placeOf` gives it, as all positions in the ledger. */
  readonly position: number;
  readonly name: string;
  readonly task: string;
  /** As they may be shown. */
  readonly inputs?: Readonly<Record<string, string>>;
}

/** Places of steps that run again. */
export interface RepeatedSteps {
  readonly failed: readonly number[];
  readonly forgotten: readonly number[];
}

/** The result of a step that has succeeded: values of JSON. */
export type StepOutputs = Readonly<Record<string, unknown>>;

/** How a step has ended, if the job goes on. The ledger has all but COMPLETED already. `items`: of a step with `foreach`. */
export type StepResult =
  | {
      readonly status: 'COMPLETED';
      readonly outputs: StepOutputs;
      readonly log: readonly LogLine[];
      readonly items?: readonly ItemEnd[];
    }
  | { readonly status: 'SKIPPED' }
  | { readonly status: 'FAILED'; readonly error: string; readonly items?: readonly ItemEnd[] };

/**
 * The jobs that a worker holds. Once a hold is lost, every method that takes it returns false or `undefined` and
 * changes nothing. `log`: what the attempt has said; it is kept with the end of the attempt.
 */
export interface JobLedger {
  /**
   * Claims jobs that should run now, at most `limit`: the most urgent first, in a queue by job id, no
   * more than each queue's parallelism. Jobs whose lease has expired or whose delay is over count as waiting.
   * The longer a job waits, the more its priority counts.
   */
  claim(queues: readonly QueueSettings[], limit: number): Promise<ClaimedJob[]>;
  /** Whether there may be something to claim: a cheap look for a worker that was not told. */
  isClaimable(): Promise<boolean>;
  /** Renews the leases of jobs; returns those that are still held. */
  renew(holds: readonly Hold[]): Promise<Hold[]>;
  stepsOf(jobId: JobId): Promise<StepProgress[]>;
  /** What was begun of the items of steps with `foreach`; their positions are places as `placeOf` gives them. */
  itemsOf(jobId: JobId): Promise<StepProgress[]>;
  beginStep(hold: Hold, step: StepIdentity): Promise<StepAttempt | undefined>;
  completeStep(hold: Hold, position: number, outputs: StepOutputs, log?: readonly LogLine[]): Promise<boolean>;
  /** Completes the last step, and the job with it. */
  completeJob(
    hold: Hold,
    position: number,
    outputs: StepOutputs,
    message: string,
    log?: readonly LogLine[],
  ): Promise<boolean>;
  /** Notes a failure and gives the job back, to be claimed again after the delay. */
  retryStep(
    hold: Hold,
    position: number,
    error: string,
    afterSeconds: number,
    log?: readonly LogLine[],
  ): Promise<boolean>;
  /** Notes that a step is not run. */
  skipStep(hold: Hold, step: StepIdentity): Promise<boolean>;
  /** Notes that an item of a step is to be tried again, after the failure `error` if there was one. The job goes on. */
  postponeItem(hold: Hold, place: number, error: string | undefined, log?: readonly LogLine[]): Promise<boolean>;
  /** Notes a failure after which the job goes on. */
  failStep(hold: Hold, position: number, error: string, log?: readonly LogLine[]): Promise<boolean>;
  /** Forgets steps with their items, which are to run again from the beginning. */
  forgetSteps(hold: Hold, positions: readonly number[]): Promise<boolean>;
  /**
   * Prepares a new attempt at a workflow that a step runs: what has failed of it goes on, with all its attempts; the others are
   * forgotten. Unlike in `forgetSteps`, an item of a step has a place of its own.
   */
  repeatSteps(hold: Hold, places: RepeatedSteps): Promise<boolean>;
  /** Completes a job whose steps have all ended. */
  completeEndedJob(hold: Hold, message: string): Promise<boolean>;
  /** Ends a job in ERROR whose steps have all ended. A resumed job goes on at the failed steps at these positions. */
  failEndedJob(hold: Hold, failed: readonly number[], error: string): Promise<boolean>;
  /** Notes a failure that ends the job in ERROR. */
  failJob(hold: Hold, position: number, error: string, log?: readonly LogLine[]): Promise<boolean>;
  /** Suspends the job until what the step at the position waits for happens, or its time is over. */
  suspendJob(hold: Hold, position: number, wait: StepWait, log?: readonly LogLine[]): Promise<boolean>;
  /** Gives the job back at once, without blame: this worker stops. */
  handBack(hold: Hold, position: number, log?: readonly LogLine[]): Promise<boolean>;
  /** Notes that the process which ran this job alone has died, and gives the job back after a pause. */
  noteLoss(hold: Hold): Promise<boolean>;
}
