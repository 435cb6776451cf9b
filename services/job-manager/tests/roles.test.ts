import { loadConfig } from '@waybill/service-kit/config/load-config';
import { createHttpClient } from '@waybill/test-kit/create-http-client';
import { waitFor } from '@waybill/test-kit/wait-for';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { configSchema } from '../src/config.ts';
import { runTestJobManager, startTestJobManager, type ShownJob } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';

let platform: TestPlatform;

beforeAll(async () => {
  platform = await startTestPlatform();
});
afterAll(() => platform?.[Symbol.asyncDispose]());

const report = { contractName: 'invoices', actionName: 'write-report' };
const withoutKey = { ACCESS_SIGNING_KEY_FILE: '' };

describe('the roles of the job manager', () => {
  it('divide the work: jobs are taken by a process that runs none, run by another, and suspended by a third', async () => {
    await using api = await startTestJobManager(platform, { ROLE: 'api' });
    const waiting = ((await api.submit(report)).json() as ShownJob).id;
    const closed = ((await api.submit({ ...report, contractName: 'closed' })).json() as ShownJob).id;
    await using scheduler = await runTestJobManager(platform, { ROLE: 'scheduler', ...withoutKey });
    await api.reaches(closed, 'SUSPENDED');
    expect(await api.job(waiting)).toMatchObject({ status: 'SUBMITTED' });
    expect(scheduler.port).toBeGreaterThan(0);

    await using worker = await runTestJobManager(platform, { ROLE: 'worker', ...withoutKey });
    await api.reaches(waiting, 'COMPLETED');
    await platform.deliver('/inbox/roles.csv', Buffer.from('from a partner'));
    await waitFor(() => platform.read('/outbox/roles.csv.gz'), { what: 'the job of the file' });

    const http = createHttpClient(`http://127.0.0.1:${worker.port}`);
    expect((await http.get('/job-manager/jobs')).status).toBe(404);
    expect((await http.get('/metrics')).text).toContain('waybill_jobs_running');
    expect((await api.client.get('/metrics')).text).not.toContain('waybill_jobs_running');
  });

  it('need a signing key only to serve the HTTP interface', () => {
    for (const ROLE of ['worker', 'scheduler']) {
      expect(loadConfig(configSchema, { ...platform.env, ...withoutKey, ROLE }).ROLE).toBe(ROLE);
    }
    for (const ROLE of ['api', 'all', undefined]) {
      expect(() => loadConfig(configSchema, { ...platform.env, ...withoutKey, ROLE })).toThrow(
        'ACCESS_SIGNING_KEY_FILE is not set',
      );
    }
    expect(() => loadConfig(configSchema, { ...platform.env, ROLE: 'boss' })).toThrow('ROLE');
  });
});
