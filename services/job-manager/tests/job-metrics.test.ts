import { randomBytes } from 'node:crypto';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it } from 'vitest';
import type { ShownJob } from './start-test-job-manager.ts';
import { oneJobManager } from './test-managers.ts';

const setting = oneJobManager();

/** The value of a sample, by the beginning of its name and one of its labels. */
async function sample(name: string, label = ''): Promise<number> {
  const { text } = await setting.manager.client.get('/metrics');
  const line = text.split('\n').find((each) => each.startsWith(`${name}{`) && each.includes(label));
  return Number(line?.split(' ').at(-1));
}

it('reports where jobs run, and how long claims take', async () => {
  const { manager, platform } = setting;
  const lanes = async (): Promise<number[]> => [
    await sample('waybill_job_lanes', 'lane="inline"'),
    await sample('waybill_job_lanes', 'lane="process"'),
  ];
  expect(await lanes()).toEqual([0, 0]);
  await platform.deliver('/inbox/long', randomBytes(48 * 1024 * 1024));
  const claimsBefore = await sample('waybill_job_claim_seconds_count');
  const response = await manager.submit({
    contractName: 'invoices',
    actionName: 'write-then-compress',
    actionVariables: { source: '/inbox/long' },
  });
  const { id } = response.json() as ShownJob;
  await waitFor(async () => (await lanes())[0] === 1, { what: 'the job to run in this process' });
  expect((await lanes())[1]).toBe(0);
  await manager.reaches(id, 'COMPLETED', 30_000);
  await waitFor(async () => (await lanes())[0] === 0, { what: 'the job to leave its lane' });
  expect(await sample('waybill_job_claim_seconds_count')).toBeGreaterThan(claimsBefore);
  expect(await sample('waybill_job_claim_seconds_bucket', 'le="+Inf"')).toBe(
    await sample('waybill_job_claim_seconds_count'),
  );
});
