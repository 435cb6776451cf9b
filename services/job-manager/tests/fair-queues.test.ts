import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startTestJobManager, type ShownJob, type TestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';
import { testConfiguration } from './test-configuration.ts';

let platform: TestPlatform;

beforeEach(async () => {
  platform = await startTestPlatform();
});
afterEach(() => platform?.[Symbol.asyncDispose]());

/** Changes the queues of the contracts `single` and `urgent`. */
const configure = (settings: Readonly<Record<string, object>>) =>
  platform.apply({
    ...testConfiguration,
    queues: testConfiguration.queues.map((queue) => ({
      ...queue,
      ...settings[queue.name],
    })),
  });

async function submit(manager: TestJobManager, contractName: string, name: string): Promise<number> {
  const body = { contractName, actionName: 'write-report', actionVariables: { name } };
  return ((await manager.submit(body)).json() as ShownJob).id;
}

describe('queues that share workers', () => {
  it('each get their turn: a job of priority 1 starts before those of a full queue of priority 10 that came much later than its patience', async () => {
    const patienceSeconds = 2;
    await configure({ Single: { priority: 1 }, Urgent: { priority: 10, parallelism: 8 } });
    await using manager = await startTestJobManager(platform, {
      JOB_CONCURRENCY: '2',
      JOB_PATIENCE_SECONDS: String(patienceSeconds),
    });
    const started = new AbortController();
    // The urgent queue is never empty: a completed job is followed by the next.
    const feed = async (feeder: number): Promise<void> => {
      for (let round = 0; !started.signal.aborted; round += 1) {
        const id = await submit(manager, 'urgent', `urgent-${feeder}-${round}`);
        await manager.reaches(id, 'COMPLETED', 60_000);
      }
    };
    const feeders = Array.from({ length: 12 }, (_, feeder) => feed(feeder));
    const patient = await submit(manager, 'single', 'patient');
    await manager.reaches(patient, 'COMPLETED', 60_000).finally(() => started.abort());
    await Promise.all(feeders);
    const [row] = await platform.database.query(
      `WITH starts AS (SELECT job_id, at FROM jobs.history WHERE transition = 'start'),
         patient AS (SELECT created_at, at FROM jobs.jobs JOIN starts ON job_id = jobs.id WHERE jobs.id = $1)
       SELECT count(*) FILTER (WHERE starts.at < patient.at)::int AS before,
         count(*) FILTER (WHERE jobs.created_at < patient.at AND starts.at > patient.at)::int AS behind,
         coalesce(max(extract(epoch FROM jobs.created_at - patient.created_at)) FILTER (WHERE starts.at < patient.at), 0)::float8
           AS overtaken_after
       FROM jobs.jobs JOIN starts ON starts.job_id = jobs.id, patient WHERE queue = 'Urgent'`,
      [patient],
    );
    // Urgent jobs went first, others were still waiting when the patient one started, and none overtook it that came too late.
    expect(row?.['before']).toBeGreaterThan(0);
    expect(row?.['behind']).toBeGreaterThan(0);
    // From ten ninths of the patience on, it shares the places with the others: a second is dozens of them.
    expect(row?.['overtaken_after']).toBeLessThanOrEqual((patienceSeconds * 10) / 9 + 1);
  });

  it('run no more jobs at once than their parallelism, over two workers', async () => {
    await configure({ Single: { parallelism: 3 } });
    await using one = await startTestJobManager(platform);
    await using other = await startTestJobManager(platform, { NODE_NAME: 'node2' });
    const ids = await Promise.all(
      Array.from({ length: 60 }, (_, index) => submit(index % 2 === 0 ? one : other, 'single', `parallel-${index}`)),
    );
    for (const id of ids) await one.reaches(id, 'COMPLETED', 60_000);
    const [row] = await platform.database.query(
      `WITH runs AS (
         SELECT job_id, min(at) FILTER (WHERE transition = 'start') AS began,
           max(at) FILTER (WHERE transition = 'complete') AS ended FROM jobs.history GROUP BY job_id)
       SELECT count(*)::int AS runs, max(together)::int AS together FROM (
         SELECT (SELECT count(*) FROM runs other WHERE other.began <= runs.began AND other.ended > runs.began) AS together
         FROM runs) AS each`,
    );
    expect(row?.['runs']).toBe(60);
    expect(row?.['together']).toBeGreaterThan(0);
    expect(row?.['together']).toBeLessThanOrEqual(3);
  });
});
