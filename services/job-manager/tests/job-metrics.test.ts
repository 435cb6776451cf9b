import { randomBytes } from 'node:crypto';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it } from 'vitest';
import { queueRequests } from './queue-requests.ts';
import { readSamples } from './read-samples.ts';
import type { ShownJob } from './start-test-job-manager.ts';
import { oneJobManager } from './test-managers.ts';

const setting = oneJobManager();
const { act, pause, submit, abort } = queueRequests(setting);

/** The sum of the samples of a metric that have all of these labels; undefined if there is none. */
async function sample(name: string, ...labels: string[]): Promise<number | undefined> {
  const samples = Object.entries(await readSamples(setting.manager.client, name));
  const values = samples.filter(([shown]) => labels.every((label) => shown.split(',').includes(label)));
  return values.length === 0 ? undefined : values.reduce((sum, [, value]) => sum + value, 0);
}

/** The counters and histograms that a run of a job changes, in the queue `Single`. */
async function counted(): Promise<Record<string, number>> {
  const names = {
    completed: await sample('waybill_jobs_ended_total', 'status="COMPLETED"', 'queue="Single"'),
    failed: await sample('waybill_jobs_ended_total', 'status="ERROR"', 'queue="Single"'),
    durations: await sample('waybill_job_duration_seconds_count', 'queue="Single"'),
    failedSteps: await sample('waybill_job_steps_failed_total', 'task="write-file"'),
    stored: await sample('waybill_filebox_uploads_total', 'end="stored"'),
    bytes: await sample('waybill_filebox_stored_bytes_total'),
    processes: await sample('waybill_job_processes_total', 'outcome="ended"'),
  };
  return Object.fromEntries(Object.entries(names).map(([name, value]) => [name, value ?? 0]));
}

it('reports where jobs run, and how long claims take', async () => {
  const { manager, platform } = setting;
  const lanes = async () => [
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
  expect(await sample('waybill_job_claim_seconds_count')).toBeGreaterThan(claimsBefore ?? 0);
  expect(await sample('waybill_job_claim_seconds_bucket', 'le="+Inf"')).toBe(
    await sample('waybill_job_claim_seconds_count'),
  );
});

it('counts what jobs do that run in processes of their own', async () => {
  const { manager, platform } = setting;
  await pause('Single');
  const completed = await submit('single', 'suspected');
  const failing = await manager.submit({ contractName: 'single', actionName: 'write-report' });
  const { id: failed } = failing.json() as ShownJob;
  for (const id of [completed, failed]) await manager.reaches(id, 'SUSPENDED');
  await platform.database.query('UPDATE jobs.active SET suspect = true WHERE job_id = ANY ($1)', [[completed, failed]]);
  const before = await counted();
  await act('Single', 'resume');
  await manager.reaches(completed, 'COMPLETED', 90_000);
  await manager.reaches(failed, 'ERROR', 90_000);
  await waitFor(async () => (await counted())['processes'] === 2, { what: 'the ends of both processes' });
  const after = await counted();
  const changes = Object.fromEntries(Object.entries(after).map(([name, value]) => [name, value - (before[name] ?? 0)]));
  expect(changes).toEqual({
    completed: 1,
    failed: 1,
    durations: 2,
    failedSteps: 1,
    stored: 1,
    bytes: 0,
    processes: 2,
  });
  expect(await sample('waybill_job_duration_seconds_sum', 'queue="Single"', 'status="COMPLETED"')).toBeGreaterThan(0);
  await abort(failed);
});
