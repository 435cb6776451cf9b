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
import { migrate } from '@waybill/postgres/migrate';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { countDown, type Engine } from './engine.ts';

const queue = { name: 'bench', enabled: true, priority: 5, parallelism: 1_000 };
const site = { managerName: 'manager1', nodeName: 'bench' };

/** Ours: each job with its history, an audit record, an idempotency key, one step with its result, a lease and a fence. */
export async function openWaybill(url: string): Promise<Engine> {
  const db = connectPostgres({ url, applicationName: 'bench', poolSize: 20, statementTimeoutMs: 600_000 });
  for (const schema of [outboxSchema, jobsSchema]) await migrate(db, schema);
  const logger = createLogger({ service: 'bench', level: 'fatal' });
  const events = createEvents(logger, createMetrics('bench'));
  const register = createKnexJobRegister(db, { site });
  const leaseMs = 6_000;
  const ledger = createBatchedLedger(
    db,
    createKnexJobLedger({ db, owner: 'bench', leaseMs, patienceMs: 600_000, site }),
  );
  return {
    name: 'Waybill, with history, audit record and idempotency key',
    add: async (index) => {
      await register.add({ ...job, ipid: Buffer.from(randomUUID()), extIPID: String(index) });
    },
    runAll: async (count, concurrency) => {
      const { over, tick } = countDown(count);
      const run = createJobRunner({
        ledger,
        events,
        runStep: async ({ hold, position, step }) => {
          await ledger.beginStep(hold, { position, name: step.name, task: step.uses });
          return { outputs: {}, log: [] };
        },
      });
      await using pool = new JobPool({
        capacity: concurrency,
        leaseMs,
        claim: (limit) => ledger.claim([queue], limit),
        renew: (holds) => ledger.renew(holds),
        run: async (claimed, signal, onWorkDone) => {
          await run(claimed, signal, onWorkDone);
          tick();
        },
        onMore: () => {},
        onTrouble: (error) => {
          throw error;
        },
      });
      await pool.fill();
      await over;
    },
    [Symbol.asyncDispose]: () => db.destroy(),
  };
}

const job = {
  submittedBy: userNameSchema.parse('bench'),
  queue: queue.name,
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
  dfic: { dfiid: randomUUID(), lcid: 'l', userAttrs: {} },
  chainDepth: 1,
} as const;
