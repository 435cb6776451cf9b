import { setTimeout as sleep } from 'node:timers/promises';
import type { Database } from '@waybill/postgres/database';
import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import type { RegisterParts } from '../adapters/jobs/knex-job-register.ts';
import { type Clock, lookAtSchedules } from '../adapters/triggers/schedule-store.ts';
import type { Job } from '../domain/jobs/job.ts';
import { JudgeFailure, judgeDueTimes } from './judge-due-times.ts';
import { createSchedulerEvents, type SchedulerEvents } from './scheduler-events.ts';
import { startDueAction, StartFailure } from './start-due-action.ts';
import { syncExpectations } from './sync-expectations.ts';
import { syncSchedules } from './sync-schedules.ts';

/** The parts of a scheduler. */
export interface SchedulerOptions {
  readonly register: RegisterParts;
  readonly db: Database;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly events: { jobSubmitted(job: Job): void };
  /** PostgreSQL's clock unless said. */
  readonly clock?: () => Date;
  /** Between looks at the schedules, in milliseconds: at least, and at most. */
  readonly pauseMs?: { readonly least: number; readonly most: number };
}

const usualPauseMs = { least: 1_000, most: 5_000 };

/**
 * Creates the jobs of Time actions at their times, judges expectations at their deadlines, and follows the configuration. Any
 * number of schedulers may run: each time of each action, and each missed due time, gets exactly one job. Disposing of it finishes
 * the action that is being started.
 */
export function startScheduler(options: SchedulerOptions): AsyncDisposable {
  const { db, register, clock, pauseMs = usualPauseMs } = options;
  const events = createSchedulerEvents(options.logger, options.metrics);
  const stopping = new AbortController();
  const { signal } = stopping;

  const follow = () => Promise.all([syncSchedules(db, clock), syncExpectations(db, clock)]);
  const judge = () => judgeExpectations({ db, register, clock, signal, events, onJob: options.events.jobSubmitted });
  const start = () => startDueActions({ db, register, clock, signal, events, onJob: options.events.jobSubmitted });
  const pauseUntilDue = async (): Promise<number> => {
    const { now, firstDueAt } = await lookAtSchedules(db, clock);
    const untilDueMs = (firstDueAt?.getTime() ?? Infinity) - now.getTime();
    // What was due is started before the pause, unless it failed or another scheduler is about to start it.
    if (untilDueMs <= 0) await start();
    return Math.min(Math.max(untilDueMs, pauseMs.least), pauseMs.most);
  };
  const attempt = async <T>(duty: string, work: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await work();
    } catch (error) {
      events.schedulerTroubled(error, duty);
      return undefined;
    }
  };
  const run = async (): Promise<void> => {
    let followedAt = Number.NEGATIVE_INFINITY;
    while (!signal.aborted) {
      if (performance.now() - followedAt >= pauseMs.most) {
        followedAt = performance.now();
        await attempt('follow the configuration', follow);
      }
      await attempt('judge expectations', judge);
      const pause = (await attempt('start actions', pauseUntilDue)) ?? pauseMs.most;
      await sleep(pause, undefined, { signal, ref: false }).catch(() => {});
    }
  };
  const running = run();
  return {
    [Symbol.asyncDispose]: async () => {
      stopping.abort();
      await running;
    },
  };
}

/** What a round of starts works with. */
export interface StartRound {
  readonly register: RegisterParts;
  readonly db: Database;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly events: SchedulerEvents;
  onJob(job: Job): void;
}

/** Starts all actions that are due. One that fails is passed over, and tried again in the next round. */
export async function startDueActions({ db, register, clock, signal, events, onJob }: StartRound): Promise<void> {
  const failed: string[] = [];
  while (!signal.aborted) {
    try {
      const outcome = await startDueAction(db, { register, clock, except: failed });
      if (!outcome) return;
      events.actionStarted(outcome);
      if (outcome.started) onJob(outcome.started.job);
    } catch (error) {
      if (!(error instanceof StartFailure)) throw error;
      events.startFailed(error);
      failed.push(error.schedule.id);
    }
  }
}

/**
 * Judges all expectations whose deadline is over. One whose files are still to be counted, or that fails, is passed over, and
 * judged in a later round.
 */
export async function judgeExpectations({ db, register, clock, signal, events, onJob }: StartRound): Promise<void> {
  const passedOver: string[] = [];
  while (!signal.aborted) {
    try {
      const judgement = await judgeDueTimes(db, { register, clock, except: passedOver });
      if (!judgement) return;
      if (judgement.waits) passedOver.push(judgement.id);
      events.expectationJudged(judgement);
      judgement.jobs.forEach(onJob);
    } catch (error) {
      if (!(error instanceof JudgeFailure)) throw error;
      events.judgementFailed(error);
      passedOver.push(error.taken.id);
    }
  }
}
