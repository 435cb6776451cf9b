import { randomBytes } from 'node:crypto';
import { waitFor } from '@waybill/test-kit/wait-for';
import { describe, expect, it } from 'vitest';
import { startTestJobManager, type ShownJob, type TestJobManager } from './start-test-job-manager.ts';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();

const submit = async (contractName: string, actionName: string, actionVariables = {}): Promise<number> =>
  ((await site.manager.submit({ contractName, actionName, actionVariables })).json() as ShownJob).id;
const act = (id: number, verb: string, bearer = site.manager.admin) =>
  site.manager.client.post(`/job-manager/jobs/${id}/${verb}`, { bearer });

/** A job that is busy compressing for seconds. */
async function submitLongJob(): Promise<number> {
  await site.platform.deliver('/inbox/long', randomBytes(96 * 1024 * 1024));
  const id = await submit('invoices', 'write-then-compress', { source: '/inbox/long' });
  await waitFor(async () => (await site.manager.job(id)).steps?.[1]?.status === 'RUNNING', { what: 'the long step' });
  return id;
}

describe('abort', () => {
  it('stops a running step at once, and its file never appears', async () => {
    const id = await submitLongJob();
    const response = await act(id, 'abort');
    expect(response.status).toBe(200);
    expect(response.json()).toMatchObject({ id, status: 'ABORTED', statusMessage: 'Aborted by admin' });
    await waitFor(async () => (await site.manager.running()) === 0, { what: 'the worker to let go', timeoutMs: 2_000 });
    expect(await site.platform.read(`/outbox/${id}.txt.gz`)).toBeUndefined();
    expect((await site.manager.job(id)).history?.at(-1)).toMatchObject({ from: 'RUNNING', to: 'ABORTED', by: 'admin' });
  });

  it('stops a suspended job and one in ERROR', async () => {
    const suspended = await submit('closed', 'write-report', { name: 'never' });
    await site.manager.reaches(suspended, 'SUSPENDED');
    const failed = await submit('invoices', 'write-nowhere');
    await site.manager.reaches(failed, 'ERROR');
    for (const id of [suspended, failed]) expect((await act(id, 'abort')).json()).toMatchObject({ status: 'ABORTED' });
  });

  it('is refused for a job that has ended, and for one that is not there', async () => {
    const id = await submit('invoices', 'write-report');
    await site.manager.reaches(id, 'COMPLETED');
    const refused = await act(id, 'abort');
    expect(refused.status).toBe(409);
    expect(refused.json()).toMatchObject({ code: 'job_transition_refused' });
    expect((await act(999_999, 'abort')).json()).toMatchObject({ status: 404, code: 'job_unknown' });
  });
});

describe('resume', () => {
  it('continues with the failed step; completed steps are not repeated', async () => {
    const id = await submit('invoices', 'write-then-compress', { source: '/inbox/late' });
    const failed = await site.manager.reaches(id, 'ERROR');
    const written = failed.steps?.[0]?.outputs;
    await site.platform.deliver('/inbox/late', Buffer.from('now it is there'));
    const resumed = await act(id, 'resume');
    expect(resumed.status).toBe(200);
    expect(resumed.json()).toMatchObject({ id, status: 'RUNNING' });
    const done = await site.manager.reaches(id, 'COMPLETED');
    expect(done.steps?.[0]).toMatchObject({ attempts: 1, outputs: written });
    expect(done.steps?.[1]).toMatchObject({ attempts: 3, status: 'COMPLETED' });
    expect(done.history?.map(({ transition }) => transition)).toEqual([
      'submit',
      'start',
      'fail',
      'resume',
      'complete',
    ]);
  });

  it('runs a suspended job although its queue is disabled', async () => {
    const id = await submit('closed', 'write-report', { name: 'forced' });
    await site.manager.reaches(id, 'SUSPENDED');
    await act(id, 'resume');
    await site.manager.reaches(id, 'COMPLETED');
    expect(await site.platform.read('/outbox/forced.txt')).toBeDefined();
  });

  it('is refused for a job that has ended', async () => {
    const id = await submit('invoices', 'write-report');
    await site.manager.reaches(id, 'COMPLETED');
    expect((await act(id, 'resume')).status).toBe(409);
  });
});

describe('resubmit', () => {
  it('creates a new job with the same variables, and does not change the old one', async () => {
    const response = await site.manager.submit({
      contractName: 'invoices',
      actionName: 'write-report',
      actionVariables: { name: 'repeated', text: 'twice' },
      extIPID: 'repeated',
    });
    const old = response.json() as ShownJob;
    await site.manager.reaches(old.id, 'COMPLETED');
    const resubmitted = await act(old.id, 'resubmit');
    expect(resubmitted.status).toBe(201);
    const fresh = resubmitted.json() as ShownJob;
    expect(fresh.id).not.toBe(old.id);
    expect(fresh.dfic).toEqual(old.dfic);
    const done = await site.manager.reaches(fresh.id, 'COMPLETED');
    expect(done).toMatchObject({ resubmissionOf: old.id });
    expect(done).not.toHaveProperty('extIPID');
    expect((await site.manager.job(old.id)).status).toBe('COMPLETED');
  });

  it('first aborts a job that has not ended, but only on request', async () => {
    const id = await submit('invoices', 'write-nowhere');
    await site.manager.reaches(id, 'ERROR');
    expect((await act(id, 'resubmit')).json()).toMatchObject({ status: 409, code: 'job_transition_refused' });
    const fresh = (await act(id, 'resubmit?abort=true')).json() as ShownJob;
    expect((await site.manager.job(id)).status).toBe('ABORTED');
    await site.manager.reaches(fresh.id, 'ERROR');
  });

  it('creates one job for one external identifier, however often and from wherever it is repeated at once', async () => {
    const id = await submit('invoices', 'write-nowhere');
    await site.manager.reaches(id, 'ERROR');
    await using other = await startTestJobManager(site.platform, { NODE_NAME: 'node2' });
    const again = async (node: TestJobManager) =>
      await node.client.post(`/job-manager/jobs/${id}/resubmit?abort=true&extIPID=again`, { bearer: node.admin });
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, index) => again(index % 2 === 0 ? site.manager : other)),
    );
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      201,
      ...Array.from({ length: 39 }, () => 409),
    ]);
    const made = new Set(answers.map((answer) => (answer.json() as ShownJob).id));
    expect(made.size).toBe(1);
    const [fresh] = [...made];
    expect((await site.manager.jobs({ extIPID: 'again' })).jobs.map((job) => job.id)).toEqual([fresh]);
    expect(await site.manager.job(id)).toMatchObject({ status: 'ABORTED' });
    // Later too, and for the resubmission of this job alone.
    expect((await again(site.manager)).json()).toMatchObject({ id: fresh });
    const another = await submit('invoices', 'write-nowhere');
    await site.manager.reaches(another, 'ERROR');
    expect((await act(another, 'resubmit?abort=true&extIPID=again')).status).toBe(201);
    expect((await act(another, `resubmit?abort=true&extIPID=${'x'.repeat(65)}`)).status).toBe(400);
  });

  it('takes the revision that the job had, or on request the newest one', async () => {
    const id = await submit('invoices', 'write-nowhere');
    await site.manager.reaches(id, 'ERROR');
    const newer = structuredClone(testConfiguration);
    for (const template of newer.workflowTemplates)
      for (const step of template.steps) Object.assign(step, { timeoutSeconds: 77 });
    await site.platform.apply(newer);
    const same = (await act(id, 'resubmit?abort=true')).json() as ShownJob;
    await site.manager.reaches(same.id, 'ERROR');
    const revisionOf = (job: ShownJob) => Number(job.contractActionWorkflowInstance['workflowTemplateRevision']);
    // A process knows of an applied configuration within a second or two.
    await waitFor(
      async () => {
        const latest = (await act(same.id, 'resubmit?abort=true&revision=latest')).json() as ShownJob;
        return revisionOf(latest) === revisionOf(same) + 1;
      },
      { what: 'a job of the newest revision' },
    );
    const again = (await act(same.id, 'resubmit')).json() as ShownJob;
    expect(revisionOf(again)).toBe(revisionOf(same));
    await site.platform.apply(testConfiguration);
  });

  it('is refused for a job that waits', async () => {
    const id = await submit('closed', 'write-report', { name: 'waits' });
    await site.manager.reaches(id, 'SUSPENDED');
    expect((await act(id, 'resubmit?abort=true')).status).toBe(409);
  });
});

describe('what is done to jobs', () => {
  it('needs a role that may write SPENGCEMANJOBS', async () => {
    const id = await submit('closed', 'write-report', { name: 'guarded' });
    for (const verb of ['abort', 'resume', 'resubmit']) {
      expect((await act(id, verb, site.manager.viewer)).status).toBe(403);
      expect((await site.manager.client.post(`/job-manager/jobs/${id}/${verb}`)).status).toBe(401);
      expect((await act(Number.NaN, verb)).status).toBe(400);
    }
  });

  it('has its parameters in the query: a body with fields is refused, and changes nothing', async () => {
    const id = await submit('closed', 'write-report', { name: 'by-query' });
    await site.manager.reaches(id, 'SUSPENDED');
    for (const verb of ['abort', 'resume', 'resubmit']) {
      const address = `/job-manager/jobs/${id}/${verb}`;
      const options = { bearer: site.manager.admin, json: { reason: 'the partner asks for it' } };
      expect((await site.manager.client.post(address, options)).json()).toMatchObject({
        status: 400,
        code: 'validation_failed',
        detail: 'The request takes no body; reason: belongs in the query',
      });
    }
    expect((await act(id, 'abort?reason=%20')).json()).toMatchObject({ status: 400, errors: [{ field: 'reason' }] });
    expect((await site.manager.job(id)).status).toBe('SUSPENDED');
    const answer = await site.manager.client.post(`/job-manager/jobs/${id}/abort`, {
      bearer: site.manager.admin,
      json: {},
    });
    expect(answer.status).toBe(200);
  });

  it('is not to be read at the address of the changes of many', async () => {
    const { status, headers } = await site.manager.client.get('/job-manager/jobs/bulk', { bearer: site.manager.admin });
    expect([status, headers.get('allow')]).toEqual([405, 'POST']);
  });
});
