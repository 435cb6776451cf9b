import { listJobHistoryEndpoint } from '@waybill/contracts/endpoints/jobs/list-job-history';
import { beforeAll, describe, expect, it } from 'vitest';
import type { ShownJob } from './start-test-job-manager.ts';
import { oneJobManager } from './test-managers.ts';

const basePath = '/ghibli-rest/v2';
const site = oneJobManager({ JOB_MANAGER_BASE_PATH: basePath });
const events = 20_000;
let id: number;
const { schema } = listJobHistoryEndpoint.responses[200].body;

const get = (path: string, bearer = site.manager.admin) => site.manager.client.get(path, { bearer, timeoutMs: 60_000 });
const address = (query = '', job: number | string = id) => `${basePath}/job-manager/jobs/${job}/history${query}`;

async function page(path: string) {
  const response = await get(path);
  expect([response.status, response.text.slice(0, 300)]).toEqual([200, expect.any(String)]);
  return schema.parse(response.json());
}

const change = (from: number, to: number) =>
  site.platform.database.query(
    `INSERT INTO jobs.history (job_id, at, from_status, to_status, transition, changed_by, message)
     SELECT ${id}, now(), 'RUNNING', 'SUSPENDED', 'suspend', 'platform', 'Change ' || n FROM generate_series(${from}, ${to}) AS n`,
  );

beforeAll(async () => {
  const { manager } = site;
  const submitted = await manager.submit({ contractName: 'invoices', actionName: 'write-report' });
  ({ id } = submitted.json() as ShownJob);
  await manager.reaches(id, 'COMPLETED');
  await change(1, events);
});

describe('the history of a job', () => {
  it.each([['newest'], ['oldest']] as const)('comes completely by pages, %s first', async (order) => {
    const messages: string[] = [];
    let pages = 0;
    for (let next: string | undefined = address(`?maxItems=1000&order=${order}`); next !== undefined; pages += 1) {
      const read = await page(next);
      const numbers = read.history.map((one) => one.id);
      expect(numbers).toEqual(numbers.toSorted((one, other) => (order === 'newest' ? other - one : one - other)));
      messages.push(...read.history.map(({ message }) => message));
      ({ next } = read);
    }
    const [numbered, others] = [messages.filter((one) => one.startsWith('Change ')), messages.length - events];
    const expected = Array.from({ length: events }, (_, index) => `Change ${index + 1}`);
    expect(numbered).toEqual(order === 'newest' ? expected.toReversed() : expected);
    // From the submission to the end.
    expect(others).toBeGreaterThanOrEqual(3);
    expect(pages).toBe(21);
  });

  it('has the same changes as the job, and the job can be shown without them', async () => {
    const whole = (await get(`${basePath}/job-manager/jobs/${id}`)).json() as ShownJob;
    const first = await page(address('?maxItems=5&order=oldest'));
    expect(first.history.map(({ id: _id, ...shown }) => shown)).toEqual(whole.history?.slice(0, 5));
    expect(first.history[0]).toMatchObject({ from: null, to: 'SUBMITTED', by: 'admin' });
    const without = await get(`${basePath}/job-manager/jobs/${id}?history=none`);
    expect(without.json()).toEqual({ ...whole, history: [] });
    expect(without.text.length).toBeLessThan(10_000);
  });

  it('goes on where a page has ended, whatever happens meanwhile', async () => {
    const first = await page(address('?maxItems=2'));
    expect(first.history.map(({ message }) => message)).toEqual([`Change ${events}`, `Change ${events - 1}`]);
    await change(events + 1, events + 3);
    const second = await page(first.next ?? '');
    expect(second.history.map(({ message }) => message)).toEqual([`Change ${events - 2}`, `Change ${events - 3}`]);
    await site.platform.database.query(
      `DELETE FROM jobs.history WHERE job_id = ${id} AND message = 'Change ${events - 3}'`,
    );
    const third = await page(second.next ?? '');
    expect(third.history[0]?.message).toBe(`Change ${events - 4}`);
  });

  it('reads by the key: a page costs the same wherever it begins', async () => {
    await site.platform.database.query('ANALYZE jobs.history');
    const [{ id: middle = '0' } = {}] = await site.platform.database.query(
      `SELECT id::text FROM jobs.history WHERE job_id = ${id} AND message = 'Change 10000'`,
    );
    const plan = await site.platform.database.query(
      `EXPLAIN SELECT message FROM jobs.history WHERE job_id = ${id} AND id < ${String(middle)} ORDER BY id DESC LIMIT 101`,
    );
    const lines = plan.map((row) => String(row['QUERY PLAN'])).join('\n');
    expect(lines).toMatch(/Index Scan Backward using \S*history\S* on/u);
    expect(lines).not.toContain('Sort');
  });

  it.each([
    ['?maxItems=0'],
    ['?maxItems=1001'],
    ['?maxItems=many'],
    ['?order=id'],
    ['?cursor=0'],
    ['?cursor=-1'],
    ['?cursor=99999999999999999999'],
    ["?cursor=1'--"],
    ['?offset=10'],
    ['?cursor=1&cursor=2'],
  ])('refuses %s', async (query) => {
    expect((await get(address(query))).status).toBe(400);
  });

  it('is refused for other jobs and other callers', async () => {
    expect((await get(address('', 999_999))).status).toBe(404);
    expect((await get(address('', 'x'))).status).toBe(400);
    expect((await get(address(), '')).status).toBe(401);
    expect((await page(address('?cursor=1'))).history).toEqual([]);
  });
});
