import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { urlAs } from '@waybill/test-kit/test-roles';
import { waitFor } from '@waybill/test-kit/wait-for';
import { describe, expect, it } from 'vitest';
import { countRuns } from '../src/adapters/statistics/count-runs.ts';
import type { ShownJob } from './start-test-job-manager.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();

interface Figures {
  completed: number;
  failed: number;
  aborted: number;
  runTime: { p50: number; p95: number; max: number } | null;
  waitingTime: { p50: number; p95: number } | null;
  lastRun: { job: number; outcome: string };
  lastFailure: { job: number; message: string } | null;
}
interface JobHours {
  from: string;
  to: string;
  hours: {
    hour: string;
    completed: number;
    failed: number;
    aborted: number;
    runTime: { p50: number; p95: number } | null;
  }[];
}
interface Statistics {
  from: string;
  to: string;
  countedUntil: string;
  actions: (Figures & { contract: string; action: string })[];
  queues: (Figures & { queue: string })[];
}

const ask = (query: Readonly<Record<string, string>> = {}, bearer = site.manager.viewer) =>
  site.manager.client.get('/job-manager/statistics', { bearer, query });
const read = async (query = {}): Promise<Statistics> => (await ask(query)).json() as Statistics;
const hoursPath = '/job-manager/statistics/hours';
const readHours = async (query = {}): Promise<JobHours> => {
  const { client, viewer } = site.manager;
  return (await client.get(hoursPath, { bearer: viewer, query })).json() as JobHours;
};
const submit = async (contractName: string, actionName: string, name = 'x'): Promise<number> =>
  ((await site.manager.submit({ contractName, actionName, actionVariables: { name } })).json() as ShownJob).id;
/** A connection with a role's privileges. */
const connectAs = (role: 'job_manager') => {
  const db = connectPostgres({ url: urlAs(role, site.platform.database.url), applicationName: 'test' });
  return { db, [Symbol.asyncDispose]: () => db.destroy() };
};
/** Counts until everything that has ended so far is counted. */
const countAll = async (): Promise<void> => {
  const now = new Date();
  await waitFor(
    async () => {
      await countRuns(site.platform.db);
      return new Date((await read()).countedUntil) > now;
    },
    { what: 'the jobs to be counted' },
  );
};

describe('the statistics of jobs', () => {
  it('count runs by outcome, for each action and each queue, with their times and the last failure', async () => {
    const done: number[] = [];
    for (let count = 0; count < 3; count += 1) {
      done.push(await submit('invoices', 'write-report', `done-${count}`));
    }
    for (const id of done) await site.manager.reaches(id, 'COMPLETED');
    const failed = await submit('invoices', 'write-nowhere');
    const { statusMessage } = await site.manager.reaches(failed, 'ERROR');
    const act = (id: number, verb: string) =>
      site.manager.client.post(`/job-manager/jobs/${id}/${verb}`, { bearer: site.manager.admin });
    // It fails again: another run, which has not waited.
    await act(failed, 'resume');
    await waitFor(
      async () => (await site.manager.job(failed)).history?.filter(({ to }) => to === 'ERROR').length === 2,
      { what: 'the second failure' },
    );
    // No other run.
    await act(failed, 'abort');
    const closed = await submit('closed', 'write-report');
    await site.manager.reaches(closed, 'SUSPENDED');
    await act(closed, 'abort');
    await countAll();

    const { actions, queues, from, to } = await read();
    expect(actions.map(({ contract, action, ...rest }) => [contract, action, rest])).toEqual([
      [
        'closed',
        'write-report',
        {
          completed: 0,
          failed: 0,
          aborted: 1,
          runTime: null,
          waitingTime: null,
          lastRun: { job: closed, at: expect.any(String), outcome: 'ABORTED' },
          lastFailure: null,
        },
      ],
      [
        'invoices',
        'write-nowhere',
        expect.objectContaining({
          completed: 0,
          failed: 2,
          aborted: 0,
          lastFailure: { job: failed, at: expect.any(String), message: statusMessage },
        }),
      ],
      ['invoices', 'write-report', expect.objectContaining({ completed: 3, failed: 0, aborted: 0, lastFailure: null })],
    ]);
    const report = actions[2];
    expect(report?.lastRun).toMatchObject({ outcome: 'COMPLETED' });
    expect(done).toContain(report?.lastRun.job);
    const { p50 = 0, p95 = 0, max = 0 } = report?.runTime ?? {};
    expect(p50).toBeGreaterThan(0);
    expect(p50).toBeLessThanOrEqual(p95);
    expect(p95).toBeLessThanOrEqual(max);
    expect(report?.waitingTime?.p50).toBeGreaterThan(0);
    expect(
      queues.map(({ queue, completed, failed: failures, aborted }) => [queue, completed, failures, aborted]),
    ).toEqual([
      ['Closed', 0, 0, 1],
      ['Default Queue', 3, 2, 0],
    ]);
    expect(new Date(to).getTime() - new Date(from).getTime()).toBeGreaterThanOrEqual(24 * 3_600_000);
    // What is counted once is not counted again, and by one of several processes.
    await Promise.all([countRuns(site.platform.db), countRuns(site.platform.db), countAll()]);
    expect((await read()).queues).toEqual(queues);
    expect((await read({ from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' })).actions).toEqual([]);

    const { hours, ...range } = await readHours();
    expect(range).toMatchObject({ from, to });
    const total = (of: 'completed' | 'failed' | 'aborted') => hours.reduce((sum, hour) => sum + hour[of], 0);
    expect([total('completed'), total('failed'), total('aborted')]).toEqual([3, 2, 1]);
    const times = hours.flatMap(({ runTime }) => runTime ?? []);
    expect(times.length).toBeGreaterThan(0);
    for (const hour of times) expect(0 < hour.p50 && hour.p50 <= hour.p95).toBe(true);
    for (const { hour } of hours) expect(hour).toMatch(/:00:00\.000Z$/u);
    expect((await readHours({ from: '2020-01-01T00:00:00Z', to: '2020-01-02T00:00:00Z' })).hours).toEqual([]);
  });

  it('wait for a transaction that may still add an ending', async () => {
    const id = await submit('invoices', 'write-report', 'late');
    await site.manager.reaches(id, 'COMPLETED');
    await using jobManager = connectAs('job_manager');
    const before = await jobManager.db.transaction(async (trx) => {
      await trx.raw(
        `INSERT INTO jobs.history (job_id, from_status, to_status, transition, changed_by, message)
         VALUES (?, 'RUNNING', 'COMPLETED', 'complete', 'platform', '')`,
        [id],
      );
      const { rows } = await trx.raw<{ rows: { at: Date }[] }>('SELECT now() AS at');
      await countRuns(site.platform.db);
      await countRuns(site.platform.db);
      const { countedUntil } = await read();
      expect(new Date(countedUntil).getTime()).toBeLessThanOrEqual(rows[0]?.at.getTime() ?? 0);
      return (await read()).queues.find(({ queue }) => queue === 'Default Queue')?.completed ?? 0;
    });
    await countAll();
    const after = (await read()).queues.find(({ queue }) => queue === 'Default Queue')?.completed;
    expect(after).toBeGreaterThanOrEqual(before + 1);
  });

  it('have percentiles that are up to a fifth above the exact time, over all hours of the range', async () => {
    // 100 runs of 1 to 100 s in an hour, and as many of the same in another.
    const hours = ['2026-03-01T10:00:00Z', '2026-03-01T12:00:00Z'];
    for (const hour of hours) {
      await site.platform.database.query(
        `INSERT INTO jobs.run_statistics (hour, contract, action, queue, completed, failed, aborted, longest_ms, last_at, last_job, last_outcome)
         VALUES ($1, 'c', 'a', 'q', 100, 0, 0, 100000, $1, 7, 'COMPLETED')`,
        [hour],
      );
      await site.platform.database.query(
        `INSERT INTO jobs.run_durations SELECT $1, 'c', 'a', 'q', 'run', ceil(4 * ln(1000.0 * n) / ln(2.0)), count(*)
         FROM generate_series(1, 100) AS n GROUP BY 6`,
        [hour],
      );
    }
    const { queues } = await read({ from: '2026-03-01T10:30:00Z', to: '2026-03-01T12:00:01+00:00' });
    const figures = queues[0];
    expect(figures).toMatchObject({ queue: 'q', completed: 200, runTime: { max: 100 }, waitingTime: null });
    expect(figures?.runTime?.p50).toBeGreaterThanOrEqual(50);
    expect(figures?.runTime?.p50).toBeLessThanOrEqual(60);
    expect(figures?.runTime?.p95).toBeGreaterThanOrEqual(95);
    expect(figures?.runTime?.p95).toBeLessThanOrEqual(100);
  });

  it('refuse a time whose whole hour, or the day before it, is outside of the years 1 to 9999', async () => {
    const detail = 'to: must be between 0001-01-02T00:00:00.000Z and 9999-12-31T23:00:00.000Z';
    for (const to of ['9999-12-31T23:00:00.001Z', '9999-12-31T23:59:59Z', '0001-01-01T23:59:59Z']) {
      expect((await ask({ to })).json(), to).toMatchObject({ status: 400, detail });
    }
    for (const to of ['10000-01-01T00:00:00Z', '+010000-01-01T00:00:00Z']) {
      expect((await ask({ to })).json(), to).toMatchObject({
        status: 400,
        detail: expect.stringMatching(/^to: must be a time of the years 1 to 9999 in ISO 8601, /u),
      });
    }
    for (const to of ['9999-12-31T23:00:00Z', '0001-01-02T00:00:00Z']) {
      expect(await read({ to })).toMatchObject({ to: to.replace('Z', '.000Z'), actions: [], queues: [] });
    }
  });

  it('refuse a range that is reversed, too long, or no time', async () => {
    const refused = [
      { from: '2026-03-02T00:00:00Z', to: '2026-03-01T00:00:00Z' },
      { from: '2026-01-01T00:00:00Z', to: '2026-03-01T00:00:00Z' },
      { from: '1970-01-01T00:00:00Z' },
      { from: 'yesterday' },
      { to: '2026-03-01' },
      { to: `${'9'.repeat(300)}-01-01T00:00:00Z` },
      { from: '\0' },
      { queue: 'q' },
    ];
    for (const query of refused) {
      expect((await ask(query as Record<string, string>)).json(), JSON.stringify(query)).toMatchObject({
        code: 'validation_failed',
      });
      const { status } = await site.manager.client.get(hoursPath, {
        bearer: site.manager.viewer,
        query,
      });
      expect(status, JSON.stringify(query)).toBe(400);
    }
    expect((await site.manager.client.get('/job-manager/statistics')).status).toBe(401);
    expect((await site.manager.client.get(hoursPath)).status).toBe(401);
  });
});
