import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { z } from 'zod';
import { createSchedulerEvents } from '../src/triggers/scheduler-events.ts';
import { judgeExpectations } from '../src/triggers/start-scheduler.ts';
import { syncExpectations } from '../src/triggers/sync-expectations.ts';
import { expectingConfiguration } from './expectation-configuration.ts';
import { runTestJobManager, startTestJobManager, type TestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform, testSite } from './start-test-platform.ts';
import { testConfiguration } from './test-configuration.ts';

const hourMs = 3_600_000;
const path = '/job-manager/expectations';

/** An instant so many hours from now, on a whole minute. */
export function hoursFromNow(hours: number): Date {
  return new Date(Math.floor((Date.now() + hours * hourMs) / 60_000) * 60_000);
}

/** The cron expression that is due at this instant of each day, in UTC. */
export function dailyAt(instant: Date): string {
  return `${instant.getUTCMinutes()} ${instant.getUTCHours()} * * *`;
}

const listSchema = z.object({
  expectations: z.array(
    z.object({
      id: z.number(),
      kind: z.enum(['due', 'unexpected']),
      state: z.string(),
      dueAt: z.string(),
      files: z.number(),
      lastPath: z.string().nullable(),
    }),
  ),
  next: z.string().optional(),
});

/** A page of states, as far as the tests look. */
export type ShownPage = z.infer<typeof listSchema>;

/** Reads the answer to a listing. */
export function pageOf(response: HttpResponse): ShownPage {
  return listSchema.parse(response.json());
}

const uncounted = `SELECT FROM outbox.events WHERE topic = 'file-event' AND next_attempt_at < 'infinity'`;

/** What the tests of expectations ask for. */
export interface ExpectationSite {
  readonly platform: TestPlatform;
  readonly manager: TestJobManager;
  /** Puts the contract `due` with this expectation into force. */
  expects(settings: object): Promise<void>;
  /** One round of a scheduler whose clock shows this time. */
  judgeAt(now: Date | string): Promise<void>;
  list(query?: Readonly<Record<string, string>>): Promise<ShownPage>;
  /** Waits for a state with so many files. */
  reaches(state: string, files?: number): Promise<ShownPage['expectations'][number]>;
  /** The `dueAt` variables of the jobs of an action, in the order in which they were created. */
  jobsOf(action: string): Promise<Readonly<Record<string, string>>[]>;
  /** The audit messages with this code, in order. */
  audited(code: string): Promise<string[]>;
  acknowledge(id: number | string, json: object, bearer?: string): Promise<HttpResponse>;
}

/**
 * A platform on which files are counted and requests are answered, by two workers and a process for HTTP, and on which there is no
 * scheduler: the tests are the schedulers, with clocks that they move. It is started before the first test of the calling file, and
 * has no expectations, jobs and audit records of earlier tests. `workers` adds to the environment of the workers.
 */
export function expectationSite(workers: Readonly<Record<string, string>> = {}): ExpectationSite {
  const resources = new AsyncDisposableStack();
  let running: { platform: TestPlatform; manager: TestJobManager } | undefined;
  const site = (): { platform: TestPlatform; manager: TestJobManager } => {
    if (!running) throw new Error('The platform is started before the first test, and not earlier');
    return running;
  };
  beforeAll(async () => {
    const platform = resources.use(await startTestPlatform());
    const manager = resources.use(await startTestJobManager(platform, { ROLE: 'api' }));
    for (const NODE_NAME of ['worker1', 'worker2']) {
      resources.use(
        await runTestJobManager(platform, { ...workers, ROLE: 'worker', NODE_NAME, ACCESS_SIGNING_KEY_FILE: '' }),
      );
    }
    running = { platform, manager };
  });
  afterEach(async () => {
    const { platform } = site();
    await platform.apply(testConfiguration);
    // A file that is still to be counted would delay judgements of the next test.
    await waitFor(async () => (await platform.database.query(uncounted)).length === 0, {
      what: 'all files to be counted',
    });
    await platform.database.query('TRUNCATE jobs.expectations, jobs.expectation_states');
    await platform.database.query(`DELETE FROM outbox.events WHERE topic = 'audit-event'`);
    await platform.database.query(`UPDATE jobs.jobs SET contract = 'earlier' WHERE contract = 'due'`);
  });
  afterAll(() => resources.disposeAsync());

  const list = async (query: Readonly<Record<string, string>> = {}): Promise<ShownPage> => {
    const { client, admin } = site().manager;
    return pageOf(await client.get(path, { bearer: admin, query: { contract: 'due', ...query } }));
  };
  const query = (sql: string, values: readonly string[]) => site().platform.database.query(sql, [...values]);
  return {
    get platform() {
      return site().platform;
    },
    get manager() {
      return site().manager;
    },
    expects: (settings) => site().platform.apply(expectingConfiguration(settings)),
    judgeAt: (now) => judgeAt(site().platform, new Date(now)),
    list,
    reaches: (state, files = 0) =>
      waitFor(
        async () => {
          const found = (await list({ state })).expectations.find((one) => one.files >= files);
          if (!found) throw new Error(JSON.stringify((await list()).expectations));
          return found;
        },
        { what: `a state ${state} with ${files} files` },
      ),
    jobsOf: async (action) => {
      const rows = await query(
        `SELECT variables FROM jobs.jobs WHERE contract = 'due' AND contract_action = $1 ORDER BY id`,
        [action],
      );
      return rows.map(({ variables }) => z.record(z.string(), z.string()).parse(variables));
    },
    audited: async (code) => {
      const rows = await query(
        `SELECT payload ->> 'auditMessage' AS message FROM outbox.events
         WHERE topic = 'audit-event' AND payload ->> 'auditCode' = $1 ORDER BY id`,
        [code],
      );
      return rows.map(({ message }) => String(message));
    },
    acknowledge: (id, json, bearer) =>
      site().manager.client.post(`${path}/${id}/acknowledge`, { json, ...(bearer !== undefined && { bearer }) }),
  };
}

async function judgeAt({ db, logger }: TestPlatform, now: Date): Promise<void> {
  const clock = () => now;
  await syncExpectations(db, clock);
  await judgeExpectations({
    db,
    register: { site: testSite },
    clock,
    signal: new AbortController().signal,
    events: createSchedulerEvents(logger, createMetrics('test')),
    onJob: () => {},
  });
}
