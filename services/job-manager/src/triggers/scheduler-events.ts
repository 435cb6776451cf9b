import type { Logger } from '@waybill/service-kit/telemetry/logger';
import type { Metrics } from '@waybill/service-kit/telemetry/metrics';
import { lateAfterMs } from '../domain/triggers/plan-start.ts';
import type { JudgeFailure, Judgement } from './judge-due-times.ts';
import type { StartFailure, StartOutcome } from './start-due-action.ts';

/** What happens in a scheduler that operators care about: its logs and metrics. */
export interface SchedulerEvents {
  actionStarted(outcome: StartOutcome): void;
  startFailed(failure: StartFailure): void;
  expectationJudged(judgement: Judgement): void;
  judgementFailed(failure: JudgeFailure): void;
  /** A duty failed as a whole, and is repeated. */
  schedulerTroubled(error: unknown, duty: string): void;
}

/** Logs and counts. */
export function createSchedulerEvents(logger: Logger, metrics: Metrics): SchedulerEvents {
  const started = metrics.counter({ name: 'waybill_schedules_started_total', help: 'Jobs created by the clock' });
  const late = metrics.counter({
    name: 'waybill_schedules_late_total',
    help: 'Those of them that were created more than a minute after their time',
  });
  const skipped = metrics.counter({
    name: 'waybill_schedules_skipped_total',
    help: 'How often times of an action were missed and not made up for, as catchUp says',
  });
  const failed = metrics.counter({
    name: 'waybill_schedules_failed_total',
    help: 'Failed attempts to create a job at its time, or to judge an expectation; they are repeated',
  });
  const missing = metrics.counter({
    name: 'waybill_expectations_missed_total',
    help: 'Due times of expectations at whose deadline files were missing',
  });
  return {
    actionStarted: ({ contract, action, started: start, skipsSome }) => {
      if (skipsSome) {
        skipped.inc();
        logger.warn({ contract, action }, 'times of an action were missed and are not made up for');
      }
      if (!start) return;
      const lateMs = start.at.getTime() - start.time.dueAt.getTime();
      started.inc();
      if (lateMs > lateAfterMs) late.inc();
      const { scheduledAt } = start.time;
      logger.info({ jobId: start.job.id, contract, action, scheduledAt, lateMs }, 'job created at its time');
    },
    startFailed: ({ schedule: { contract, action }, cause }) => {
      failed.inc();
      logger.error({ contract, action, err: cause }, 'job not created at its time; this is repeated');
    },
    expectationJudged: ({ contract, expectation, missed }) => {
      missing.inc({}, missed.length);
      for (const dueAt of missed) logger.warn({ contract, expectation, dueAt }, 'files that were due are missing');
    },
    judgementFailed: ({ taken: { contract, expectation }, cause }) => {
      failed.inc();
      logger.error({ contract, expectation: expectation.name, err: cause }, 'expectation not judged; this is repeated');
    },
    schedulerTroubled: (error, duty) => {
      failed.inc();
      logger.error({ err: error, duty }, 'the scheduler is in trouble');
    },
  };
}
