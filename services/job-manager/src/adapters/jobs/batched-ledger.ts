import type { Database } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { isItemPlace } from '@waybill/workflow/run/step-place';
import type { Hold, JobLedger, LogLine, StepAttempt, StepIdentity, StepOutputs } from '../../domain/jobs/job-ledger.ts';
import { logLinesAtMost } from '../../domain/workflows/step-log.ts';
import { createBatches } from './write-batches.ts';

/** Statements stay short, so that no caller waits long for its neighbours. */
const batchLimit = 100;

interface Beginning {
  readonly hold: Hold;
  readonly step: StepIdentity;
}

interface Completion {
  readonly hold: Hold;
  readonly position: number;
  readonly outputs: StepOutputs;
  readonly log: readonly LogLine[] | undefined;
  /** Completes the job too. */
  readonly message?: string;
}

/**
 * A ledger that writes the progress of jobs which run at the same time together: begun steps in one statement, completed
 * steps and jobs in another, which is durable when it returns. Every caller has the answer for its own job, which is exact:
 * a job that the common statement leaves out, because it is no longer held or locked by another transaction, is written by
 * the statement of `ledger` for one job. So are the items of steps, of which one job can begin and complete several at once.
 */
export function createBatchedLedger(db: Database, ledger: JobLedger): JobLedger {
  const begin = createBatches<Beginning, StepAttempt | 'lost'>({
    limit: batchLimit,
    writeAll: (items) => beginAll(db, items),
    writeOne: async ({ hold, step }) => (await ledger.beginStep(hold, step)) ?? 'lost',
  });
  const complete = createBatches<Completion, boolean>({
    limit: batchLimit,
    writeAll: (items) => completeAll(db, items),
    writeOne: ({ hold, position, outputs, message, log }) =>
      message === undefined
        ? ledger.completeStep(hold, position, outputs, log)
        : ledger.completeJob(hold, position, outputs, message, log),
  });
  return {
    ...ledger,
    beginStep: async (hold, step) => {
      if (isItemPlace(step.position)) return await ledger.beginStep(hold, step);
      const begun = await begin({ hold, step });
      return begun === 'lost' ? undefined : begun;
    },
    completeStep: (hold, position, outputs, log) =>
      isItemPlace(position)
        ? ledger.completeStep(hold, position, outputs, log)
        : complete({ hold, position, outputs, log }),
    completeJob: (hold, position, outputs, message, log) => complete({ hold, position, outputs, message, log }),
  };
}

async function beginAll(db: Database, items: readonly Beginning[]): Promise<(StepAttempt | undefined)[]> {
  const rows = await runPrepared<StepAttempt & { jobId: string }>(db, beginning, {
    ...holdsOf(items),
    positions: items.map(({ step }) => step.position),
    names: items.map(({ step }) => step.name),
    tasks: items.map(({ step }) => step.task),
    inputs: items.map(({ step }) => JSON.stringify(step.inputs ?? {})),
  });
  const begun = new Map(rows.map(({ jobId, ...attempt }) => [jobId, attempt]));
  return items.map(({ hold }) => begun.get(String(hold.jobId)));
}

async function completeAll(db: Database, items: readonly Completion[]): Promise<(true | undefined)[]> {
  const rows = await runPrepared<{ id: string }>(db, completion, {
    ...holdsOf(items),
    positions: items.map(({ position }) => position),
    results: items.map(({ outputs }) => JSON.stringify(outputs)),
    messages: items.map(({ message }) => message ?? null),
    logs: items.map(({ log = [] }) => (log.length > 0 ? JSON.stringify(log) : null)),
    linesKept: logLinesAtMost,
  });
  const completed = new Set(rows.map(({ id }) => id));
  return items.map(({ hold }) => completed.has(String(hold.jobId)) || undefined);
}

function holdsOf(items: readonly { readonly hold: Hold }[]) {
  return { ids: items.map(({ hold }) => String(hold.jobId)), fences: items.map(({ hold }) => hold.fence) };
}

const beginning = prepareStatement(
  'jobs begin steps',
  `SELECT begun_id AS "jobId", begun_attempts AS attempts, begun_failures AS failures, begun_losses AS losses,
     begun_losses_alone AS "lossesAlone"
   FROM jobs.begin_steps(CAST(:ids AS bigint[]), CAST(:fences AS bigint[]), CAST(:positions AS int[]),
     CAST(:names AS text[]), CAST(:tasks AS text[]), CAST(:inputs AS jsonb[]))`,
);

const completion = prepareStatement(
  'jobs complete steps',
  `SELECT id FROM jobs.complete_steps(CAST(:ids AS bigint[]), CAST(:fences AS bigint[]), CAST(:positions AS int[]),
     CAST(:results AS jsonb[]), CAST(:messages AS text[]), CAST(:logs AS jsonb[]), CAST(:linesKept AS int)) AS id`,
);
