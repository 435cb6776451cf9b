import { waitFor } from '@waybill/test-kit/wait-for';
import { describe, expect, it } from 'vitest';
import type { ShownJob } from './start-test-job-manager.ts';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();

const act = (id: number, verb: string) =>
  site.manager.client.post(`/job-manager/jobs/${id}/${verb}`, { bearer: site.manager.admin });
const revisionOf = (job: ShownJob): number => Number(job.contractActionWorkflowInstance['workflowTemplateRevision']);

interface Step {
  name: string;
  uses: string;
  with: Record<string, string>;
}

const writes = (name: string, path: string): Step => ({ name, uses: 'write-file', with: { path, text: `by ${name}` } });

/** Puts these steps in force for the workflow of `invoices/write-then-compress`. */
async function correct(steps: readonly Step[]): Promise<void> {
  const configuration = structuredClone(testConfiguration);
  const template = configuration.workflowTemplates.find(({ name }) => name === 'write-then-compress');
  Object.assign(template ?? {}, { steps });
  await site.platform.apply(configuration);
}

/** A job that has failed in its second step. */
async function failedJob(): Promise<ShownJob> {
  await site.platform.apply(testConfiguration);
  const newest = await newestRevision();
  const submission = { contractName: 'invoices', actionName: 'write-then-compress' };
  const { id } = await waitFor(
    async () => {
      const job = (await site.manager.submit(submission)).json() as ShownJob;
      // The process that takes the submission may remember the revision of a test before.
      return revisionOf(job) === newest ? job : undefined;
    },
    { what: 'a job with the newest revision', intervalMs: 200 },
  );
  return await site.manager.reaches(id, 'ERROR');
}

async function newestRevision(): Promise<number> {
  const [newest] = await site.platform.database.query(
    "SELECT revision FROM directory.workflow_templates WHERE name = 'write-then-compress'",
  );
  return Number(newest?.['revision']);
}

const { steps: original = [] } =
  testConfiguration.workflowTemplates.find(({ name }) => name === 'write-then-compress') ?? {};
const [firstStep] = original as readonly Step[];
if (!firstStep) throw new Error('the workflow has no steps');

describe('resume with the newest revision', () => {
  it('continues at the failed step, as it is now, and keeps what is completed', async () => {
    const failed = await failedJob();
    const { id } = failed;
    await correct([firstStep, writes('repaired', '/outbox/repaired.txt'), writes('added', '/outbox/added.txt')]);
    const response = await act(id, 'resume?revision=latest&reason=corrected');
    expect(response.status).toBe(200);
    const resumed = response.json() as ShownJob;
    expect(resumed).toMatchObject({ id, status: 'RUNNING' });
    const [from, to] = [revisionOf(failed), revisionOf(resumed)];
    expect(to).toBeGreaterThan(from);

    const done = await site.manager.reaches(id, 'COMPLETED');
    expect(revisionOf(done)).toBe(to);
    expect(done.steps?.map(({ name, task, attempts }) => [name, task, attempts])).toEqual([
      ['write', 'write-file', 1],
      ['repaired', 'write-file', 1],
      ['added', 'write-file', 1],
    ]);
    expect(done.steps?.[0]?.outputs).toEqual(failed.steps?.[0]?.outputs);
    expect(done.steps?.[1]?.log.map(({ message }) => message)).toEqual(['Wrote 11 bytes into /outbox/repaired.txt']);
    const change = `with revision ${to} of write-then-compress (before: ${from})`;
    expect(done.history?.find(({ transition }) => transition === 'resume')?.message).toBe(
      `Resumed by admin ${change}: corrected`,
    );
    const [record] = await site.platform.database.query(
      `SELECT payload ->> 'auditMessage' AS message FROM outbox.events
       WHERE payload ->> 'auditCode' = 'AUD0023A' AND payload ->> 'entityId' = $1`,
      [String(id)],
    );
    expect(record?.['message']).toBe(
      `User admin has resumed job ${id} of invoices/write-then-compress ${change}: corrected`,
    );
    const found = await site.manager.jobs({ id, workflowTemplateRevision: to });
    expect(found.jobs.map((job) => job.id)).toEqual([id]);
    expect((await site.manager.jobs({ id, workflowTemplateRevision: from })).jobs).toEqual([]);
  });

  it('writes a file of a changed step although the former step wrote one at the same path', async () => {
    const { id } = await failedJob();
    // As if the step had delivered its file before it failed.
    await site.platform.database.query(
      `INSERT INTO jobs.effects (job_id, position, name, fileset, result) VALUES ($1, 1, '/outbox/same.txt', 4711, '{}')`,
      [id],
    );
    await correct([firstStep, writes('compress', '/outbox/same.txt')]);
    await act(id, 'resume?revision=latest');
    const done = await site.manager.reaches(id, 'COMPLETED');
    expect(done.steps?.[1]).toMatchObject({ name: 'compress', outputs: { path: '/outbox/same.txt' } });
    expect((await site.platform.read('/outbox/same.txt'))?.toString()).toBe('by compress');
    const effects = await site.platform.database.query(
      'SELECT fileset::int FROM jobs.effects WHERE job_id = $1 AND fileset = 4711',
      [id],
    );
    expect(effects).toEqual([{ fileset: 4711 }]);
  });

  it('is refused when the newest revision does not begin with the completed steps, and nothing changes', async () => {
    const failed = await failedJob();
    const { id } = failed;
    for (const steps of [
      [writes('other', '/outbox/other.txt'), firstStep],
      [{ ...firstStep, uses: 'gzip', with: { source: '/inbox/x', target: '/outbox/x' } }, writes('b', '/outbox/b')],
      [firstStep],
    ]) {
      await correct(steps);
      const refused = await act(id, 'resume?revision=latest');
      expect(refused.json()).toMatchObject({ status: 409, code: 'job_revision_refused' });
    }
    const after = await site.manager.job(id);
    expect(after).toEqual(failed);
    await act(id, 'resume');
    expect(revisionOf(await site.manager.reaches(id, 'ERROR'))).toBe(revisionOf(failed));
  });

  it('is the same as without it for a job that has the newest revision already, or any other status', async () => {
    const { id } = await failedJob();
    expect((await act(id, 'resume?revision=latest')).status).toBe(200);
    const { history } = await site.manager.reaches(id, 'ERROR');
    expect(history?.find(({ transition }) => transition === 'resume')?.message).toBe('Resumed by admin');
    await act(id, 'abort');
    await correct([firstStep, writes('repaired', '/outbox/repaired.txt')]);
    expect((await act(id, 'resume?revision=latest')).json()).toMatchObject({ code: 'job_transition_refused' });
    expect((await act(id, 'resume?revision=newest')).status).toBe(400);
    expect((await act(999_999, 'resume?revision=latest')).json()).toMatchObject({ code: 'job_unknown' });
  });

  it('of many at once resumes the job once', async () => {
    const { id } = await failedJob();
    await correct([firstStep, writes('repaired', '/outbox/once.txt')]);
    const answers = await Promise.all(Array.from({ length: 10 }, () => act(id, 'resume?revision=latest')));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([
      200,
      ...Array.from({ length: 9 }, () => 409),
    ]);
    const { history } = await site.manager.reaches(id, 'COMPLETED');
    expect(history?.filter(({ transition }) => transition === 'resume')).toHaveLength(1);
  });

  it('tells the audit log of the revision with which a job was resubmitted', async () => {
    const failed = await failedJob();
    await correct([firstStep, writes('repaired', '/outbox/again.txt')]);
    const [from, to] = [revisionOf(failed), await newestRevision()];
    expect(to).toBeGreaterThan(from);
    // A process remembers the actions of a contract for a second or two.
    await expect
      .poll(
        async () => {
          const fresh = (await act(failed.id, 'resubmit?abort=true&revision=latest')).json() as ShownJob;
          const [record] = await site.platform.database.query(
            `SELECT payload ->> 'auditMessage' AS message FROM outbox.events
           WHERE payload ->> 'auditCode' = 'AUD0024A' AND payload ->> 'entityId' = $1`,
            [String(fresh.id)],
          );
          return String(record?.['message']);
        },
        { timeout: 10_000 },
      )
      .toContain(`with revision ${to} of write-then-compress (before: ${from})`);
  });
});
