import type { StepWait } from './step-wait.ts';

/** What a job waits for. */
export type WaitKind =
  | 'delay'
  | 'time'
  | 'file'
  | 'approval'
  | 'newerWorker'
  | 'queueRemoved'
  | 'queuePaused'
  | 'queueDisabled'
  | 'queueClosed'
  | 'noWorker'
  | 'queueFull'
  | 'workersBusy'
  | 'turn';

/** Why a job waits, in one word and in one sentence. */
export interface Wait {
  readonly kind: WaitKind;
  readonly message: string;
  /** When that ends by itself, if this is known. */
  readonly until?: Date | undefined;
  /** Jobs of the queue that go first, at most `aheadAtMost`; only where they are what it waits for. */
  readonly ahead?: number | undefined;
}

/** More jobs are not counted. */
export const aheadAtMost = 1_000;

/** The facts about a job that has not ended and that no worker runs. */
export interface WaitFacts {
  /** It has begun: its queue need not be open. */
  readonly begun: boolean;
  /** What a worker must understand to run it, if the workers that run do not. */
  readonly needs?: readonly string[] | undefined;
  /** What it waits for at a step. */
  readonly atStep?: StepWait | undefined;
  /** The end of its delay, if that is not over. */
  readonly delayedUntil?: Date | undefined;
  /** Ready jobs of its queue with a lower number, at most `aheadAtMost`. */
  readonly ahead: number;
  /** Why the queue starts no job, and until when; absent if it is open. */
  readonly closed?: Wait | undefined;
  readonly queue: {
    readonly name: string;
    /** Jobs of the queue that workers run. */
    readonly running: number;
    /** Absent if the queue was removed. */
    readonly parallelism?: number | undefined;
  };
  readonly workers: {
    /** Workers that have given a sign of life lately. */
    readonly count: number;
    /** Jobs that they run at once at most, and those that run, of all queues. */
    readonly capacity: number;
    readonly running: number;
  };
}

/** The first thing that keeps a job from running. */
export function explainWait(facts: WaitFacts): Wait {
  const { begun, needs, atStep, delayedUntil, closed, queue, workers } = facts;
  if (needs !== undefined) return { kind: 'newerWorker', message: explainNeeds(needs) };
  if (atStep) return { kind: atStep.kind, message: atStep.message, until: new Date(atStep.until) };
  if (delayedUntil !== undefined) {
    return { kind: 'delay', message: `It waits until ${shownTime(delayedUntil)}`, until: delayedUntil };
  }
  if (closed && !begun) return closed;
  if (workers.count === 0) return { kind: 'noWorker', message: 'No worker runs' };
  const ahead = Math.min(facts.ahead, aheadAtMost);
  const behind = ahead === 0 ? '' : `; ${countOf(ahead)} of the queue ${ahead === 1 ? 'goes' : 'go'} first`;
  const { running, parallelism } = queue;
  if (parallelism !== undefined && running >= parallelism) {
    const message = `Queue '${queue.name}' is full: ${running} of ${parallelism} jobs run${behind}`;
    return { kind: 'queueFull', message, ahead };
  }
  if (workers.running >= workers.capacity) {
    const message = `All workers are busy: they run ${workers.running} of ${workers.capacity} jobs${behind}`;
    return { kind: 'workersBusy', message, ahead };
  }
  const message = ahead === 0 ? 'It is the next job of its queue' : `It waits for its turn${behind}`;
  return { kind: 'turn', message, ahead };
}

/** That a job waits for a worker that understands these parts of it. */
export function explainNeeds(needs: readonly string[]): string {
  return `Waiting for a newer worker: those that run do not understand ${needs.join(', ')}`;
}

/** `2026-11-22 20:15:30 (UTC)`. */
function shownTime(at: Date): string {
  return `${at.toISOString().slice(0, 19).replace('T', ' ')} (UTC)`;
}

function countOf(jobs: number): string {
  if (jobs === 1) return '1 job';
  return jobs === aheadAtMost ? `${jobs} jobs or more` : `${jobs} jobs`;
}
