import { waitFor } from '@waybill/test-kit/wait-for';
import { describe, expect, it } from 'vitest';
import { startTestJobManager, type ShownJob } from './start-test-job-manager.ts';
import { applyWorkflow, submitWorkflow } from './submit-workflow.ts';
import { oneJobManager } from './test-managers.ts';

const one = oneJobManager();

const submit = async (template: object, variables: object = {}) =>
  (await submitWorkflow(one.platform, one.manager, template, variables)).id;
const act = (id: number, what: string, bearer = one.manager.admin) =>
  one.manager.client.post(`/job-manager/jobs/${id}/${what}`, { bearer });
const textOf = async (path: string) => (await one.platform.read(path))?.toString();
const query = (sql: string, ...values: unknown[]) => one.platform.database.query(sql, values);
const activeRow = async (id: number) =>
  (await query('SELECT status, ready, fence, owner FROM jobs.active WHERE job_id = $1', id))[0];
const auditOf = (id: number) =>
  query(
    `SELECT payload ->> 'auditMessage' AS message, payload ->> 'dataoneUser' AS "user" FROM outbox.events
     WHERE topic = 'audit-event' AND payload ->> 'entityId' = $1 AND payload ->> 'auditMessage' ~ 'has (approved|rejected)'`,
    String(id),
  );

/** Lets the time limit of a wait pass: by the clock of PostgreSQL, and by what the step has kept. */
async function passTime(id: number): Promise<void> {
  await query(
    `UPDATE jobs.steps SET outputs = outputs || '{"until": "2020-01-01T00:00:00.000Z"}' WHERE job_id = $1 AND status = 'WAITING'`,
    id,
  );
  await query('UPDATE jobs.active SET due_at = clock_timestamp() WHERE job_id = $1', id);
}

const write = (name: string, text: string) => ({
  name,
  uses: 'write-file',
  with: { path: `/outbox/${name}-\${{ job.id }}`, text },
});
const wait = (parameters: object, more: object = {}) => ({ name: 'pause', uses: 'wait', with: parameters, ...more });
const approval = (parameters: object = {}) => ({
  name: 'ask',
  uses: 'wait-for-approval',
  with: { message: 'send ${{ variables.what }}', approvers: ['role:Administrators'], ...parameters },
});

describe('a step that waits for a time', () => {
  it('suspends the job, which holds no worker, and the job goes on where it was', async () => {
    const id = await submit({
      steps: [write('before', '1'), wait({ seconds: 3_600 }), write('after', '${{ steps.pause.outputs.until }}')],
    });
    const job = await one.manager.reaches(id, 'SUSPENDED');
    expect(await activeRow(id)).toEqual({ status: 'SUSPENDED', ready: false, fence: null, owner: null });
    expect(job.statusMessage).toMatch(/^Waiting until .* \(UTC\)$/u);
    expect(job.waitingFor).toMatchObject({ kind: 'time', until: expect.any(String) });
    const { jobs } = await one.manager.jobs({ status: 'SUSPENDED' });
    expect(jobs.find((listed) => listed.id === id)?.statusMessage).toBe(job.statusMessage);
    expect(job.history?.at(-1)).toMatchObject({ from: 'RUNNING', to: 'SUSPENDED', transition: 'wait' });

    await passTime(id);
    const done = await one.manager.reaches(id, 'COMPLETED');
    expect(done.steps?.map(({ name, status, attempts }) => [name, status, attempts])).toEqual([
      ['before', 'COMPLETED', 1],
      ['pause', 'COMPLETED', 2],
      ['after', 'COMPLETED', 1],
    ]);
    expect(await textOf(`/outbox/after-${id}`)).toBe('2020-01-01T00:00:00.000Z');
  });

  it('waits a second without help, and not at all until a time that is past', async () => {
    const past = { name: 'past', uses: 'wait-until', with: { time: '${{ now - duration("1h") }}' } };
    const id = await submit({ steps: [past, wait({ seconds: 1 })] });
    const job = await one.manager.reaches(id, 'COMPLETED', 30_000);
    expect(job.steps?.map(({ attempts }) => attempts)[0]).toBe(1);
  });

  it('survives a restart, a resume does not shorten it, and an abort ends it', async () => {
    const id = await submit({ steps: [wait({ seconds: 3_600 })] });
    const before = await one.manager.reaches(id, 'SUSPENDED');
    await using other = await startTestJobManager(one.platform, { NODE_NAME: 'other' });
    expect((await other.job(id)).waitingFor).toEqual(before.waitingFor);
    expect((await act(id, 'resume')).status).toBe(200);
    await waitFor(async () => (await one.manager.job(id)).steps?.[0]?.attempts === 2, { what: 'the second look' });
    expect((await one.manager.reaches(id, 'SUSPENDED')).waitingFor).toEqual(before.waitingFor);
    expect((await act(id, 'abort')).status).toBe(200);
    expect((await one.manager.job(id)).waitingFor).toBeUndefined();
    expect((await act(id, 'approve')).json()).toMatchObject({ code: 'approval_not_awaited' });
  });

  it('cannot run for items, and refuses hostile lengths', async () => {
    await expect(applyWorkflow(one.platform, { steps: [wait({ seconds: 1 }, { foreach: [1, 2] })] })).rejects.toThrow(
      /has no foreach/u,
    );
    for (const seconds of [0, -1, 31_622_401, 1.5, 'x']) {
      await expect(applyWorkflow(one.platform, { steps: [wait({ seconds })] })).rejects.toThrow(/seconds/u);
    }
  });
});

describe('a step that waits for a file', () => {
  const waiting = (more: object = {}) => ({
    name: 'look',
    uses: 'wait-for-file',
    with: { folder: '/inbox', pattern: '${{ variables.name }}*.done', seconds: 3_600, ...more },
  });

  it('goes on when there is one', async () => {
    const id = await submit({ steps: [waiting(), write('found', '${{ steps.look.outputs.path }}')] }, { name: 'x' });
    const job = await one.manager.reaches(id, 'SUSPENDED');
    expect(job.waitingFor).toMatchObject({ kind: 'file' });
    expect(job.statusMessage).toMatch(/^Waiting for a file x\*\.done in \/inbox, at most until /u);
    await one.platform.deliver('/inbox/y1.done', Buffer.from('1'));
    await one.platform.deliver('/inbox/x1.done', Buffer.from('1'));
    await one.manager.reaches(id, 'COMPLETED', 30_000);
    expect(await textOf(`/outbox/found-${id}`)).toBe('/inbox/x1.done');
  });

  it('fails when its time is over, or says that there is none', async () => {
    const failing = await submit({ steps: [waiting()] }, { name: 'never' });
    await one.manager.reaches(failing, 'SUSPENDED');
    await passTime(failing);
    expect((await one.manager.reaches(failing, 'ERROR')).statusMessage).toContain('in time');

    const steps = [
      waiting({ otherwise: 'continue', folder: '/absent' }),
      write('none', '${{ steps.look.outputs.found }}'),
    ];
    const going = await submit({ steps }, { name: 'never' });
    await one.manager.reaches(going, 'SUSPENDED');
    await passTime(going);
    await one.manager.reaches(going, 'COMPLETED');
    expect(await textOf(`/outbox/none-${going}`)).toBe('false');
  });
});

describe('a step that waits for an approval', () => {
  it('goes on when one of its approvers approves, once, with an audit record', async () => {
    const steps = [approval(), write('sent', '${{ steps.ask.outputs.by }}: ${{ steps.ask.outputs.reason }}')];
    const id = await submit({ steps }, { what: 'it' });
    const job = await one.manager.reaches(id, 'SUSPENDED');
    expect(job.statusMessage).toMatch(/^Waiting for approval, at most until .*: send it$/u);
    expect(job.waitingFor?.kind).toBe('approval');

    const refused = await act(id, 'approve', one.manager.viewer);
    expect([refused.status, refused.json()]).toEqual([
      403,
      expect.objectContaining({ code: 'approval_not_permitted' }),
    ]);
    const answers = await Promise.all(Array.from({ length: 8 }, () => act(id, 'approve?reason=checked')));
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      200,
      ...Array.from({ length: 7 }, () => 409),
    ]);
    await one.manager.reaches(id, 'COMPLETED');
    expect(await textOf(`/outbox/sent-${id}`)).toBe('admin: checked');
    expect(await auditOf(id)).toEqual([
      {
        user: 'admin',
        message: expect.stringMatching(new RegExp(`^User admin has approved job ${id} of .*/run: checked$`, 'u')),
      },
    ]);
  });

  it('fails when it is rejected, and asks again after a resume', async () => {
    const id = await submit({ steps: [approval({ approvers: 'admin, role:Users' })] }, { what: 'it' });
    await one.manager.reaches(id, 'SUSPENDED');
    expect((await act(id, 'reject?reason=wrong+month')).status).toBe(200);
    const failed = await one.manager.reaches(id, 'ERROR');
    expect(failed.statusMessage).toBe("Step 'ask' failed: Rejected by admin: wrong month");
    expect(await auditOf(id)).toMatchObject([
      { message: expect.stringMatching(/ has rejected job .*: wrong month$/u) },
    ]);
    await act(id, 'resume');
    await one.manager.reaches(id, 'SUSPENDED');
    expect((await act(id, 'approve', one.manager.viewer)).status).toBe(200);
    await one.manager.reaches(id, 'COMPLETED');
  });

  it('has a time limit, whose end is an error or a default', async () => {
    const id = await submit({ steps: [approval({ seconds: 60 })] }, { what: 'it' });
    await one.manager.reaches(id, 'SUSPENDED');
    await passTime(id);
    expect((await one.manager.reaches(id, 'ERROR')).statusMessage).toContain('no user has decided in time');

    const steps = [
      approval({ otherwise: 'rejected', onRejection: 'continue' }),
      write('decided', '${{ steps.ask.outputs.decision }}'),
    ];
    const going = await submit({ steps }, { what: 'it' });
    await one.manager.reaches(going, 'SUSPENDED');
    await passTime(going);
    await one.manager.reaches(going, 'COMPLETED');
    expect(await textOf(`/outbox/decided-${going}`)).toBe('rejected');
  });

  it('refuses decisions about other jobs, without a token, and a role that does not exist', async () => {
    expect((await act(999_999, 'approve')).status).toBe(404);
    const completed = await submit({ steps: [write('x', '')] });
    await one.manager.reaches(completed, 'COMPLETED');
    const late = await act(completed, 'reject');
    expect([late.status, (late.json() as ShownJob & { code: string }).code]).toEqual([409, 'approval_not_awaited']);
    expect((await one.manager.client.post(`/job-manager/jobs/${completed}/approve`, {})).status).toBe(401);
    await expect(applyWorkflow(one.platform, { steps: [approval({ approvers: ['role:Managers'] })] })).rejects.toThrow(
      /is no role/u,
    );
    await expect(applyWorkflow(one.platform, { steps: [approval({ approvers: [] })] })).rejects.toThrow(/approvers/u);
  });
});
