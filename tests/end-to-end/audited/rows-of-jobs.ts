import { type JobView, jobSchema } from '@waybill/contracts/endpoints/jobs/job';
import type { HttpResponse } from '@waybill/test-kit/create-http-client';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect } from 'vitest';
import { type Doors, rowOf, type Rows } from './row.ts';

const row = rowOf('management', 'admin');
const ofViewer = rowOf('management', 'viewer');
const withoutToken = rowOf('management', '');
const ofJob = rowOf('platform', 'admin');
const jobs = '/job-manager/jobs';
const queue = '/job-manager/queues/Default%20Queue';
const reason = 'as planned';
const query = { reason };

/** The job of the rows, which one after the other change it. */
let job = 0;

function jobOf({ status, text }: HttpResponse): JobView {
  if (status >= 300) throw new Error(`the job manager answered ${status}: ${text}`);
  return jobSchema.parse(JSON.parse(text));
}

async function untilJobIs({ manager, token }: Doors, status: JobView['status']): Promise<void> {
  await waitFor(async () => jobOf(await manager.get(`${jobs}/${job}`, { bearer: token })).status === status, {
    what: `a job that is ${status}`,
  });
}

/** Submits a job, and waits until it is there. */
async function submit(
  doors: Doors,
  actionName: 'write-report' | 'broken' | 'ask',
  { status }: { readonly status: JobView['status'] },
): Promise<void> {
  const actionVariables = actionName === 'ask' ? {} : { name: 'r', text: 't' };
  const json = { contractName: 'invoices', actionName, actionVariables };
  job = jobOf(await doors.manager.post(jobs, { bearer: doors.token, json })).id;
  await untilJobIs(doors, status);
}

async function change({ manager, token }: Doors, name: 'abort' | 'resume' | 'resubmit'): Promise<void> {
  job = jobOf(await manager.post(`${jobs}/${job}/${name}`, { bearer: token, query })).id;
}

async function decide(doors: Doors, decision: 'approve' | 'reject', bearer = doors.token): Promise<void> {
  await doors.manager.post(`${jobs}/${job}/${decision}`, { bearer, query });
}

const askAnd = async (doors: Doors, decision: 'approve' | 'reject'): Promise<void> => {
  await submit(doors, 'ask', { status: 'SUSPENDED' });
  await decide(doors, decision);
};

/** Jobs and queues at the management interfaces, in this order. */
export const rowsOfJobs: Rows = {
  'the jobs are listed without a token': withoutToken('AUD0014A LOGIN listJobs not_authenticated', ({ manager }) =>
    manager.get(jobs),
  ),
  'a queue that does not exist is paused': row('AUD0015A MODIFY pauseQueue queue_unknown', ({ manager, token }) =>
    manager.post('/job-manager/queues/none/pause', { bearer: token, query }),
  ),
  'a queue is paused by a user whose role does not permit it': ofViewer(
    'AUD0015A MODIFY pauseQueue not_permitted',
    ({ manager, viewerToken }) => manager.post(`${queue}/pause`, { bearer: viewerToken, query }),
  ),
  'a queue is paused': row(
    'AUD0027A MODIFY Default_Queue',
    ({ manager, token }) => manager.post(`${queue}/pause`, { bearer: token, query }),
    query,
  ),
  'a job is submitted': row('AUD0020A CREATE invoices/write-report', (doors) =>
    submit(doors, 'write-report', { status: 'SUSPENDED' }),
  ),
  'a job of an unknown contract is not submitted': row(
    'AUD0015A MODIFY submitJob contract_unknown',
    ({ manager, token }) =>
      manager.post(jobs, { bearer: token, json: { contractName: 'none', actionName: 'none', actionVariables: {} } }),
  ),
  'a job is resumed': row(
    'AUD0023A MODIFY invoices/write-report',
    async (doors) => {
      await change(doors, 'resume');
      await untilJobIs(doors, 'COMPLETED');
    },
    query,
  ),
  'a job is resubmitted': row('AUD0024A CREATE invoices/write-report', (doors) => change(doors, 'resubmit'), query),
  'a job is aborted': row('AUD0022A MODIFY invoices/write-report', (doors) => change(doors, 'abort'), query),
  'an aborted job is not resumed': row('AUD0015A MODIFY resumeJob job_transition_refused', ({ manager, token }) =>
    manager.post(`${jobs}/${job}/resume`, { bearer: token }),
  ),
  'a job that does not exist is not aborted': row('AUD0015A MODIFY abortJob job_unknown', ({ manager, token }) =>
    manager.post(`${jobs}/999999/abort`, { bearer: token, query }),
  ),
  'a queue is resumed': row('AUD0028A MODIFY Default_Queue', ({ manager, token }) =>
    manager.post(`${queue}/resume`, { bearer: token }),
  ),
  'a job fails': ofJob('AUD0021A MODIFY invoices/broken', (doors) => submit(doors, 'broken', { status: 'ERROR' }), {
    reason: expect.stringContaining('/nowhere'),
  }),
  'a job is approved': row('AUD0025A MODIFY invoices/ask', (doors) => askAnd(doors, 'approve'), query),
  'a job is rejected': row('AUD0026A MODIFY invoices/ask', (doors) => askAnd(doors, 'reject'), query),
  'a job is not approved twice': row('AUD0015A MODIFY approveJob approval_not_awaited', (doors) =>
    decide(doors, 'approve'),
  ),
  'a job is not approved by a user whom the step does not name': ofViewer(
    'AUD0015A MODIFY approveJob approval_not_permitted',
    async (doors) => {
      await submit(doors, 'ask', { status: 'SUSPENDED' });
      await decide(doors, 'approve', doors.viewerToken);
    },
  ),
};
