import { randomUUID } from 'node:crypto';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { createBatchedLedger } from '@waybill/job-manager/adapters/jobs/batched-ledger';
import { createKnexJobLedger } from '@waybill/job-manager/adapters/jobs/knex-job-ledger';
import { createKnexJobRegister } from '@waybill/job-manager/adapters/jobs/knex-job-register';
import { createEvents } from '@waybill/job-manager/events';
import { jobsSchema } from '@waybill/job-manager/jobs-schema';
import { JobPool } from '@waybill/job-manager/worker/pool/job-pool';
import { createJobRunner } from '@waybill/job-manager/worker/run/run-job';
import { outboxSchema } from '@waybill/outbox/outbox-schema';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import type { Database } from '@waybill/postgres/database';
import { migrate } from '@waybill/postgres/migrate';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';

/** A queue, and what its jobs do: nothing, unless `work` says otherwise. */
export interface NoopQueue {
  readonly name: string;
  readonly parallelism: number;
  /** Resolves to the seconds after which the step is tried again; to `undefined` if it has succeeded. */
  readonly work?: () => Promise<number | undefined>;
}

/** The job engine in this process: jobs of one step, with their history, their audit records and keys. */
export interface NoopEngine extends AsyncDisposable {
  readonly db: Database;
  /** Adds jobs, many in one transaction. */
  add(queue: string, count: number): Promise<void>;
  /** Starts to run jobs, so many at a time. `onEnd` is called with the queue of each job that was completed. */
  run(capacity: number, queues: readonly NoopQueue[], onEnd: (queue: string) => void): Promise<AsyncDisposable>;
}

const site = { managerName: 'manager1', nodeName: 'bench' };
const leaseMs = 6_000;
const jobsInTransaction = 250;
const adders = 4;

/** Creates its tables in an empty database. */
export async function openNoopEngine(url: string): Promise<NoopEngine> {
  const db = connectPostgres({ url, applicationName: 'bench', poolSize: 20, statementTimeoutMs: 600_000 });
  for (const schema of [outboxSchema, jobsSchema]) await migrate(db, schema);
  return {
    db,
    add: async (queue, count) => {
      let left = count;
      const addSome = async (): Promise<void> => {
        while (left > 0) {
          const some = Math.min(left, jobsInTransaction);
          left -= some;
          await db.transaction(async (trx) => {
            const register = createKnexJobRegister(trx, { site });
            for (let index = 0; index < some; index += 1) await register.add(noopJobIn(queue));
          });
        }
      };
      await Promise.all(Array.from({ length: adders }, addSome));
    },
    run: (capacity, queues, onEnd) => runQueues(db, { capacity, queues, onEnd }),
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

async function runQueues(
  db: Database,
  { capacity, queues, onEnd }: { capacity: number; queues: readonly NoopQueue[]; onEnd: (queue: string) => void },
): Promise<AsyncDisposable> {
  const single = createKnexJobLedger({ db, owner: 'bench', leaseMs, patienceMs: 600_000, site });
  const ledger = createBatchedLedger(db, single);
  const settings = queues.map(({ name, parallelism }) => ({ name, parallelism, enabled: true, priority: 5 }));
  const works = new Map(queues.map(({ name, work }) => [name, work]));
  const run = createJobRunner({
    ledger,
    events: createEvents(createLogger({ service: 'bench', level: 'fatal' }), createMetrics('bench')),
    runStep: async ({ job, hold, position, step }) => {
      await ledger.beginStep(hold, { position, name: step.name, task: step.uses });
      const retryAfter = await works.get(job.queue)?.();
      if (retryAfter === undefined) return { status: 'COMPLETED', outputs: {}, log: [] };
      await ledger.retryStep(hold, position, 'the partner does not answer', retryAfter);
      return undefined;
    },
  });
  const pool = new JobPool({
    capacity,
    leaseMs,
    claim: (limit) => ledger.claim(settings, limit),
    renew: (holds) => ledger.renew(holds),
    run: async (claimed, signal, onWorkDone) => {
      await run(claimed, signal, onWorkDone);
      onEnd(claimed.job.queue);
    },
    onMore: () => {},
    onTrouble: (error) => {
      throw error;
    },
  });
  // As a worker's poll does.
  const poll = setInterval(() => void pool.fill(), 200);
  await pool.fill();
  return {
    [Symbol.asyncDispose]: async () => {
      clearInterval(poll);
      await pool[Symbol.asyncDispose]();
    },
  };
}

/** A job of one step, with a key of its own. */
export function noopJobIn(queue: string) {
  return {
    submittedBy: userNameSchema.parse('bench'),
    queue,
    actor: 'acme',
    contract: 'bench',
    contractType: 'Mediation',
    contractAction: 'nothing',
    contractActionTrigger: 'OnDemand',
    workflow: {
      templateId: 1,
      templateName: 'nothing',
      templateRevision: 1,
      templateDescription: '',
      steps: [
        { name: 'nothing', uses: 'write-file', with: {}, retry: { attempts: 1, delaySeconds: 0 }, timeoutSeconds: 60 },
      ],
    },
    variables: {},
    ipid: Buffer.from(randomUUID()),
    dfic: { dfiid: randomUUID(), lcid: 'l', userAttrs: {} },
    chainDepth: 1,
  } as const;
}
