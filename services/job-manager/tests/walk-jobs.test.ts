import { setTimeout as sleep } from 'node:timers/promises';
import { jobSortFields } from '@waybill/contracts/endpoints/jobs/list-jobs';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKnexJobLedger } from '../src/adapters/jobs/knex-job-ledger.ts';
import { createKnexJobRegister } from '../src/adapters/jobs/knex-job-register.ts';
import type { NewJob } from '../src/domain/jobs/new-job.ts';
import { jobIn, openQueue } from './claimable.ts';
import type { ShownJob } from './start-test-job-manager.ts';
import { testSite } from './start-test-platform.ts';
import { oneJobManager } from './test-managers.ts';

// No worker and no scheduler: the test changes the jobs itself.
const site = oneJobManager({ ROLE: 'api' });
const queues = ['q0', 'q1', 'q2'];
const register = () => createKnexJobRegister(site.platform.db, { site: testSite });
const ledger = () =>
  createKnexJobLedger({ db: site.platform.db, owner: 'w', leaseMs: 60_000, patienceMs: 60_000, site: testSite });

let created = 0;

/** A job that shares each property with others, in another combination. */
function nextJob(): NewJob {
  created += 1;
  const job = jobIn(`q${created % 3}`);
  const workflow = {
    ...job.workflow,
    templateId: 1 + (created % 5),
    templateName: `w${created % 4}`,
    templateRevision: created % 2,
  };
  return { ...job, contract: `contract ${created % 7}`, workflow };
}

/** Jobs whose status has changed, with how often. */
const changes = new Map<number, number>();

async function completeOne(): Promise<void> {
  for (const { job, hold } of await ledger().claim(
    queues.map((name) => openQueue(name)),
    1,
  )) {
    changes.set(job.id, (changes.get(job.id) ?? 0) + 2);
    await ledger().completeJob(hold, 1, {}, 'done');
  }
}

const stopping = new AbortController();
let bustle: Promise<void>;
let rounds = 0;

/** About a hundred jobs a second are added, and as many are completed, the oldest first. */
async function addAndComplete(): Promise<void> {
  while (!stopping.signal.aborted) {
    await Promise.all([register().add(nextJob()), completeOne(), sleep(10)]);
    rounds += 1;
  }
}

beforeAll(async () => {
  for (let count = 0; count < 240; count += 1) await register().add(nextJob());
  for (let count = 0; count < 40; count += 1) await completeOne();
  bustle = addAndComplete();
});
afterAll(async () => {
  stopping.abort();
  await bustle;
});

/** All pages, as `next` leads through them; between two, at least one job is added and one is completed. */
async function walk(sort: string): Promise<number[]> {
  const ids: number[] = [];
  let link: string | undefined = `/job-manager/jobs?maxItems=20&sort=${encodeURIComponent(sort)}`;
  while (link !== undefined) {
    const response = await site.manager.client.get(link, { bearer: site.manager.admin });
    expect(response.status).toBe(200);
    const page = response.json() as { jobs: ShownJob[]; next?: string };
    ids.push(...page.jobs.map(({ id }) => id));
    link = page.next;
    const roundsBefore = rounds;
    await waitFor(() => rounds > roundsBefore, { what: 'another job to be added and completed' });
  }
  return ids;
}

async function existing(): Promise<number[]> {
  const rows = await site.platform.database.query('SELECT id::int AS id FROM jobs.jobs ORDER BY id');
  return rows.map(({ id }) => Number(id));
}

/** How often each of these jobs came. */
function timesOf(ids: readonly number[], seen: readonly number[]): Map<number, number> {
  const times = new Map(ids.map((id) => [id, 0]));
  for (const id of seen) if (times.has(id)) times.set(id, (times.get(id) ?? 0) + 1);
  return times;
}

const steady = jobSortFields.filter((field) => field !== 'status' && field !== 'updatedAt');
const bothWays = (fields: readonly string[]): string[] => fields.flatMap((field) => [`+${field}`, `-${field}`]);

describe('a walk through all jobs by `next`, while a hundred a second are added and completed', () => {
  it.each(bothWays(steady))('sorted by %s, meets every job that existed at the start exactly once', async (sort) => {
    const before = await existing();
    const times = timesOf(before, await walk(sort));
    expect([...times].filter(([, count]) => count !== 1)).toEqual([]);
    expect((await existing()).length).toBeGreaterThan(before.length);
  });

  it.each(bothWays(['status', 'updatedAt']))(
    'sorted by %s, meets every job exactly once whose status does not change meanwhile',
    async (sort) => {
      const before = await existing();
      const changedBefore = new Map(changes);
      const seen = await walk(sort);
      const isSteady = (id: number): boolean => changes.get(id) === changedBefore.get(id);
      const steadyTimes = timesOf(before.filter(isSteady), seen);
      expect(steadyTimes.size).toBeGreaterThan(0);
      expect([...steadyTimes].filter(([, count]) => count !== 1)).toEqual([]);
      const changed = before.filter((id) => !isSteady(id));
      expect(changed.length).toBeGreaterThan(0);
      // A changed job moves to the end of this order: it may come again there, and is never missed.
      if (sort === '+updatedAt') {
        expect([...timesOf(changed, seen)].filter(([, count]) => count === 0)).toEqual([]);
      }
    },
  );
});
