import { expect, it } from 'vitest';
import type { ShownJob } from './start-test-job-manager.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();
const filter = { queue: 'Closed', status: 'SUSPENDED' };
const post = (json: object) => {
  const body = { operation: 'abort', dryRun: false, filter, ...json };
  return site.manager.client.post('/job-manager/jobs/bulk', { json: body, bearer: site.manager.admin });
};

/** The number of a new job that is suspended in a closed queue. */
async function suspendedJob(): Promise<number> {
  const body = {
    contractName: 'closed',
    actionName: 'write-report',
    actionVariables: { name: `expected-${Math.random()}` },
  };
  const { id } = (await site.manager.submit(body)).json() as ShownJob;
  await site.manager.reaches(id, 'SUSPENDED');
  return id;
}

it('changes only the jobs that are expected, in the status that is expected, and says which were changed meanwhile', async () => {
  const ids = [await suspendedJob(), await suspendedJob(), await suspendedJob(), await suspendedJob()];
  const [first = 0, second = 0, third = 0, fourth = 0] = ids;
  const missing = { id: 999_999_999, status: 'SUSPENDED' };
  const expected = [missing, ...[third, second, first].map((id) => ({ id, status: 'SUSPENDED' }))];
  // Somebody else was faster with one of them.
  await site.manager.client.post(`/job-manager/jobs/${second}/abort`, { bearer: site.manager.admin });
  const begun = (await post({ expected, limit: 2 })).json() as { results: unknown; next: string };
  expect(begun.results).toEqual([
    { id: first, statusCode: 200, message: 'Aborted by admin', status: 'ABORTED' },
    {
      id: second,
      statusCode: 409,
      errorCode: 'job_transition_refused',
      message: `Job ${second} was changed meanwhile: it does not match the filter any more, and was SUSPENDED`,
      status: 'ABORTED',
    },
  ]);
  expect((await post({ expected, limit: 2, cursor: begun.next })).json()).toEqual({
    operation: 'abort',
    dryRun: false,
    results: [{ id: third, statusCode: 200, message: 'Aborted by admin', status: 'ABORTED' }],
  });
  expect((await site.manager.job(fourth)).status).toBe('SUSPENDED');
  const other = await post({ filter: { id: fourth }, expected: [{ id: fourth, status: 'RUNNING' }] });
  const message = `Job ${fourth} was changed meanwhile: it is SUSPENDED by now, and was RUNNING`;
  expect(other.json()).toMatchObject({ results: [{ id: fourth, statusCode: 409, message }] });
});

it.each([
  [[]],
  [[{ id: 0, status: 'RUNNING' }]],
  [[{ id: 1 }]],
  [[{ id: 1, status: 'Gone' }]],
  ['all'],
  [[{ id: 1, status: 'ERROR', x: 1 }]],
])('refuses %j as what is expected', async (expected) => {
  expect((await post({ expected })).status).toBe(400);
});
