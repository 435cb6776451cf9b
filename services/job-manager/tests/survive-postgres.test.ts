import { gunzipSync } from 'node:zlib';
import { startDurablePostgres } from '@waybill/test-kit/start-durable-postgres';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it } from 'vitest';
import { startTestJobManager, type ShownJob } from './start-test-job-manager.ts';
import { startTestPlatform } from './start-test-platform.ts';

it('loses nothing acknowledged when PostgreSQL is killed under load, and continues when it is back', async () => {
  await using postgres = await startDurablePostgres();
  await using platform = await startTestPlatform({
    url: postgres.url('postgres'),
    query: () => Promise.reject(new Error('this test looks through the interface')),
  });
  await using manager = await startTestJobManager(platform, { JOB_LEASE_SECONDS: '2' });

  const answered: number[] = [];
  const enough = new AbortController();
  const load = async (worker: number): Promise<void> => {
    for (let index = 0; !enough.signal.aborted; index += 1) {
      const name = `report-${worker}-${index}`;
      const body = { contractName: 'invoices', actionName: 'write-report', actionVariables: { name }, extIPID: name };
      const response = await manager.submit(body).catch(() => undefined);
      if (response?.status === 201) answered.push((response.json() as ShownJob).id);
      else expect(response?.status ?? 503).toBe(503);
    }
  };
  const workers = [0, 1, 2, 3].map(load);
  await waitFor(() => answered.length > 20, { what: 'some jobs' });
  await postgres.kill();
  const before = answered.length;
  await postgres.restart();
  await waitFor(() => answered.length > before + 20, { what: 'jobs to be taken again', timeoutMs: 20_000 });
  enough.abort();
  await Promise.all(workers);

  for (const id of answered) await manager.reaches(id, 'COMPLETED', 20_000);
  await platform.deliver('/inbox/after.csv', Buffer.from('after the crash'));
  const compressed = await waitFor(() => platform.read('/outbox/after.csv.gz'), {
    what: 'a file event after the crash',
    timeoutMs: 20_000,
  });
  expect(String(gunzipSync(compressed))).toBe('after the crash');
});
