import { abortJobEndpoint } from '@waybill/contracts/endpoints/jobs/abort-job';
import { changeJobsEndpoint } from '@waybill/contracts/endpoints/jobs/change-jobs';
import { findJobEndpoint } from '@waybill/contracts/endpoints/jobs/find-job';
import { readJobStatisticsEndpoint } from '@waybill/contracts/endpoints/jobs/job-statistics';
import { listJobsEndpoint } from '@waybill/contracts/endpoints/jobs/list-jobs';
import { resubmitJobEndpoint } from '@waybill/contracts/endpoints/jobs/resubmit-job';
import { resumeJobEndpoint } from '@waybill/contracts/endpoints/jobs/resume-job';
import { submitJobEndpoint } from '@waybill/contracts/endpoints/jobs/submit-job';
import { findQueueEndpoint } from '@waybill/contracts/endpoints/queues/find-queue';
import { listQueuesEndpoint } from '@waybill/contracts/endpoints/queues/list-queues';
import { pauseQueueEndpoint } from '@waybill/contracts/endpoints/queues/pause-queue';
import { resumeQueueEndpoint } from '@waybill/contracts/endpoints/queues/resume-queue';
import { renderOpenapi } from '@waybill/http-kit/openapi/render-openapi';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, it } from 'vitest';
import { z } from 'zod';
import { queuePath } from './queue-requests.ts';
import type { ShownJob } from './start-test-job-manager.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager({ JOB_RETENTION_DAYS: '30', RETENTION_INTERVAL_SECONDS: '1' });
const { paths, components } = renderOpenapi(
  [
    submitJobEndpoint,
    listJobsEndpoint,
    findJobEndpoint,
    abortJobEndpoint,
    resumeJobEndpoint,
    resubmitJobEndpoint,
    changeJobsEndpoint,
    readJobStatisticsEndpoint,
    listQueuesEndpoint,
    findQueueEndpoint,
    pauseQueueEndpoint,
    resumeQueueEndpoint,
  ],
  { title: 'Jobs', version: '1' },
);

const responsesSchema = z.record(
  z.string(),
  z.object({ content: z.record(z.string(), z.object({ schema: z.record(z.string(), z.unknown()) })).default({}) }),
);
const operationSchema = z.object({ operationId: z.string(), responses: responsesSchema });

/** What the document says of an answer that has this status and media type. */
function documented(operationId: string, response: HttpResponse): z.ZodType {
  const operations = Object.values(paths).flatMap((methods) =>
    Object.values(methods).map((operation) => operationSchema.parse(operation)),
  );
  const operation = operations.find((each) => each.operationId === operationId);
  const mediaType = response.headers.get('content-type')?.split(';')[0] ?? '';
  const schema = operation?.responses[String(response.status)]?.content[mediaType]?.schema;
  if (schema === undefined) throw new Error(`${operationId} answers ${response.status} ${mediaType}, undocumented`);
  const text = JSON.stringify({ ...schema, $defs: components['schemas'] }).replaceAll(
    '#/components/schemas/',
    '#/$defs/',
  );
  return z.fromJSONSchema(z.record(z.string(), z.unknown()).parse(JSON.parse(text)));
}

/** The problems of an answer with the document. */
function faultsOf(operationId: string, response: HttpResponse): readonly unknown[] {
  return documented(operationId, response).safeParse(response.json()).error?.issues ?? [];
}

const get = (path: string) => site.manager.client.get(path, { bearer: site.manager.admin });
const post = (path: string, json?: object) =>
  site.manager.client.post(path, { bearer: site.manager.admin, ...(json && { json }) });
const report = { contractName: 'invoices', actionName: 'write-report' };

/** Runs a job twice, by a submission and a resubmission that can both be repeated. */
async function runTwice(): Promise<HttpResponse[]> {
  const submit = () => site.manager.submit({ ...report, extIPID: 'order' });
  const made = await submit();
  const { id } = made.json() as ShownJob;
  await site.manager.reaches(id, 'COMPLETED');
  const resubmit = () => post(`/job-manager/jobs/${id}/resubmit?extIPID=again`);
  const again = await resubmit();
  await site.manager.reaches((again.json() as ShownJob).id, 'COMPLETED');
  return [made, await submit(), again, await resubmit()];
}

async function removeJobs(): Promise<void> {
  await site.platform.database.query(`UPDATE jobs.jobs SET created_at = now() - interval '40 days'`);
  await site.platform.database.query(`UPDATE jobs.ended SET updated_at = now() - interval '31 days'`);
  await waitFor(async () => (await site.manager.jobs()).jobs.length === 0, { what: 'the jobs to be removed' });
}

it('a submission and a resubmission answer as documented, with the job or with the reason that there is none', async () => {
  const [made, repeated, again, repeatedAgain] = await runTwice();
  const { id } = z.object({ id: z.int() }).parse(made?.json());
  await removeJobs();
  const answers = [
    ['submitJob', 201, made],
    ['submitJob', 409, repeated],
    ['submitJob', 409, await site.manager.submit({ ...report, extIPID: 'order' })],
    ['submitJob', 400, await site.manager.submit({})],
    ['submitJob', 403, await site.manager.submit(report, site.manager.viewer)],
    ['submitJob', 401, await site.manager.submit(report, 'forged')],
    ['resubmitJob', 201, again],
    ['resubmitJob', 409, repeatedAgain],
    ['resubmitJob', 409, await post(`/job-manager/jobs/${id}/resubmit?extIPID=again`)],
    ['resubmitJob', 404, await post(`/job-manager/jobs/${id}/resubmit`)],
  ] as const;
  for (const [operationId, status, response] of answers) {
    if (response === undefined) throw new Error('There is no answer');
    expect(response.status).toBe(status);
    expect(faultsOf(operationId, response), `${operationId} ${status}`).toEqual([]);
  }
});

it('the other requests for jobs and queues answer as documented', async () => {
  const { id } = (await site.manager.submit({ contractName: 'closed', actionName: 'write-report' })).json() as ShownJob;
  await site.manager.reaches(id, 'SUSPENDED');
  const job = `/job-manager/jobs/${id}`;
  const bulk = { operation: 'resume', filter: { id }, dryRun: true };
  const answers = [
    ['listJobs', 200, await get('/job-manager/jobs')],
    ['listJobs', 400, await get('/job-manager/jobs?sort=x')],
    ['findJob', 200, await get(job)],
    ['findJob', 404, await get('/job-manager/jobs/999')],
    ['changeJobs', 200, await post('/job-manager/jobs/bulk', bulk)],
    ['resubmitJob', 409, await post(`${job}/resubmit`)],
    ['abortJob', 200, await post(`${job}/abort?reason=done`)],
    ['resumeJob', 409, await post(`${job}/resume`)],
    ['readJobStatistics', 200, await get('/job-manager/statistics')],
    ['listQueues', 200, await get('/job-manager/queues')],
    ['findQueue', 200, await get(queuePath('Single'))],
    ['findQueue', 404, await get(queuePath('Absent'))],
    ['pauseQueue', 200, await post(`${queuePath('Single', '/pause')}?reason=x`)],
    ['pauseQueue', 409, await post(`${queuePath('Single', '/pause')}?reason=x`)],
    ['resumeQueue', 200, await post(queuePath('Single', '/resume'))],
  ] as const;
  for (const [operationId, status, response] of answers) {
    expect(response.status, operationId).toBe(status);
    expect(faultsOf(operationId, response), `${operationId} ${status}`).toEqual([]);
  }
});
