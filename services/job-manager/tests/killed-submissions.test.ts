import { beforeAll, expect, it } from 'vitest';
import { beforeCompletion, killWorkerAt } from './held-statements.ts';
import { workerRig } from './worker-rig.ts';

const rig = workerRig();
const given = { contract: 'rigged', action: 'child', variables: { text: '${{ item }}' } };
const child = { steps: [{ name: 'note', uses: 'log', with: { message: 'done' } }] };
const retry = { attempts: 3, delaySeconds: 0 };
const parent = { steps: [{ name: 'next', uses: 'submit-job', with: given, foreach: ['a', 'b'], retry }] };

beforeAll(() => rig.configure({ workflows: { child, parent } }));

it.each([
  ['before the job is committed', 'BEFORE INSERT ON jobs.idempotency_keys FOR EACH ROW'],
  ['when the job is committed, and the step is not yet', beforeCompletion('submit-job')],
])('a step whose worker is killed %s has submitted one job for each item', async (_, place) => {
  const id = await rig.submit('parent');
  await killWorkerAt(rig, place);
  expect((await rig.ended(id)).status).toBe('COMPLETED');
  const steps = await rig.query(
    `SELECT outputs ->> 'jobId' AS job, losses FROM jobs.steps WHERE job_id = $1 AND position > 0 ORDER BY position`,
    id,
  );
  expect(steps[0]).toMatchObject({ losses: 1 });
  const children = await rig.query(
    `SELECT id, chain_depth FROM jobs.jobs WHERE dfic = (SELECT dfic FROM jobs.jobs WHERE id = $1) AND id <> $1 ORDER BY id`,
    id,
  );
  expect(children.map((one) => one['id'])).toEqual(steps.map(({ job }) => job));
  expect(children.map((one) => Number(one['chain_depth']))).toEqual([2, 2]);
  for (const { job } of steps) expect((await rig.ended(Number(job))).status).toBe('COMPLETED');
});
