import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { jobIdSchema } from '@waybill/contracts/values/job-id';
import { connectRedis } from '@waybill/redis/connect-redis';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createKnexJobLedger } from '../src/adapters/jobs/knex-job-ledger.ts';
import type { QueueSettings } from '../src/domain/queues/queue-settings.ts';
import { startTestJobManager, type ShownJob, type TestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, testSite, type TestPlatform } from './start-test-platform.ts';

let platform: TestPlatform;

beforeEach(async () => {
  platform = await startTestPlatform();
});
afterEach(() => platform?.[Symbol.asyncDispose]());

const submit = async (manager: TestJobManager, contractName: string, actionVariables = {}): Promise<number> =>
  ((await manager.submit({ contractName, actionName: 'write-report', actionVariables })).json() as ShownJob).id;

describe('messages about ready jobs', () => {
  it('stay one in Redis, however many jobs wait behind a full queue, and few a second', async () => {
    const single: QueueSettings = { name: 'Single', enabled: true, priority: 5, parallelism: 1 };
    await using manager = await startTestJobManager(platform, { JOB_POLL_SECONDS: '0.1' });
    const first = await submit(manager, 'single', { name: 'first' });
    await manager.reaches(first, 'COMPLETED');
    // Another worker fills the queue, for longer than the test lasts.
    const busy = createKnexJobLedger({
      db: platform.db,
      owner: 'busy',
      leaseMs: 600_000,
      patienceMs: 600_000,
      site: testSite,
    });
    const blocked = await fillQueue(single);
    const waiting: number[] = [];
    while (waiting.length < 500) {
      const next = Array.from({ length: 10 }, (_, index) =>
        submit(manager, 'single', { name: `n${waiting.length + index}` }),
      );
      waiting.push(...(await Promise.all(next)));
    }

    const redis = connectRedis({ url: platform.redis.url, name: 'test', logger: platform.logger });
    try {
      const keys = async () => await redis.keys('waybill:queue:jobs:*');
      const before = await received(redis);
      let most = 0;
      for (let look = 0; look < 20; look += 1) {
        most = Math.max(most, await redis.llen('waybill:queue:jobs:wait'));
        await delay(50);
      }
      expect(most).toBeLessThanOrEqual(1);
      // A look finds ready jobs ten times a second, and no more messages than that are sent.
      expect((await received(redis)) - before).toBeLessThan(30);
      // Messages that have ended are kept up to a bound.
      expect((await keys()).length).toBeLessThan(120);
    } finally {
      redis.disconnect();
    }
    expect(await busy.completeJob(blocked.hold, 0, {}, 'done')).toBe(true);
    await manager.reaches(Math.min(...waiting) + 20, 'COMPLETED', 60_000);
  });

  it('are shown by tools for BullMQ: active while a job runs, with the numbers of their jobs when they have ended', async () => {
    await using manager = await startTestJobManager(platform);
    await platform.deliver('/inbox/long', randomBytes(48 * 1024 * 1024));
    const response = await manager.submit({
      contractName: 'invoices',
      actionName: 'write-then-compress',
      actionVariables: { source: '/inbox/long' },
    });
    const { id } = response.json() as ShownJob;
    const redis = connectRedis({ url: platform.redis.url, name: 'test', logger: platform.logger });
    try {
      await waitFor(async () => (await manager.job(id)).steps?.[1]?.status === 'RUNNING', { what: 'the long step' });
      // A message that finds no other job is active beside it for a moment.
      const active = () => redis.llen('waybill:queue:jobs:active');
      await waitFor(async () => (await active()) === 1, { what: 'the message of the running job alone' });
      expect((await manager.job(id)).status).toBe('RUNNING');
      await manager.reaches(id, 'COMPLETED', 30_000);
      await waitFor(
        async () => {
          const ended = await redis.zrange('waybill:queue:jobs:completed', '0', '-1');
          const values = await Promise.all(ended.map((key) => redis.hget(`waybill:queue:jobs:${key}`, 'returnvalue')));
          return values.includes(JSON.stringify({ jobIds: [id] }));
        },
        { what: 'the message of the job' },
      );
    } finally {
      redis.disconnect();
    }
  });
});

describe('an abort that no notification announces', () => {
  it('is found when the listening connection is there again, long before the next renewal', async () => {
    // A lease of a minute is renewed every 20 seconds.
    await using manager = await startTestJobManager(platform, { JOB_LEASE_SECONDS: '60' });
    await platform.deliver('/inbox/long', randomBytes(96 * 1024 * 1024));
    const response = await manager.submit({
      contractName: 'invoices',
      actionName: 'write-then-compress',
      actionVariables: { source: '/inbox/long' },
    });
    const { id } = response.json() as ShownJob;
    await waitFor(async () => (await manager.job(id)).steps?.[1]?.status === 'RUNNING', { what: 'the long step' });
    const cut = await platform.database.query(
      `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
       WHERE datname = current_database() AND query LIKE 'LISTEN%interrupted%'`,
    );
    expect(cut).toHaveLength(1);
    await manager.client.post(`/job-manager/jobs/${id}/abort`, { bearer: manager.admin });
    await waitFor(async () => (await manager.running()) === 0, { what: 'the job to be let go', timeoutMs: 5_000 });
    expect(await platform.read(`/outbox/${id}.txt.gz`)).toBeUndefined();
  });
});

/** Another worker has the next job of a queue, one that no worker was told of. */
async function fillQueue(queue: QueueSettings) {
  return await platform.db.transaction(async (trx) => {
    const { rows } = await trx.raw<{ rows: { id: string }[] }>(
      `INSERT INTO jobs.jobs (submitted_by, queue, actor, contract, contract_type, contract_action,
         contract_action_trigger, workflow_template_id, workflow_template_name, workflow_template_revision,
         workflow_template_description, steps, variables, dfic, chain_depth)
       SELECT submitted_by, queue, actor, contract, contract_type, contract_action, contract_action_trigger,
         workflow_template_id, workflow_template_name, workflow_template_revision, workflow_template_description, steps,
         variables, dfic, chain_depth FROM jobs.jobs WHERE queue = ? LIMIT 1 RETURNING id`,
      [queue.name],
    );
    const id = rows[0]?.id ?? '';
    await trx.raw(
      `INSERT INTO jobs.active (job_id, queue, status, status_message, updated_at, ready, due_at, fence, owner)
       VALUES (?, ?, 'RUNNING', '', clock_timestamp(), false, clock_timestamp() + interval '1 hour', 42, 'busy')`,
      [id, queue.name],
    );
    return { hold: { jobId: jobIdSchema.parse(Number(id)), fence: '42' } };
  });
}

/** How many messages were ever made. */
async function received(redis: ReturnType<typeof connectRedis>): Promise<number> {
  return Number((await redis.get('waybill:queue:jobs:id')) ?? 0);
}
