import { describe, expect, it } from 'vitest';
import type { ShownJob } from './start-test-job-manager.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();

const submit = async (contractName: string, actionName: string): Promise<number> =>
  ((await site.manager.submit({ contractName, actionName })).json() as ShownJob).id;
const act = (id: number, verb: string) =>
  site.manager.client.post(`/job-manager/jobs/${id}/${verb}`, { bearer: site.manager.admin });

describe('the audit log', () => {
  const recordsOf = async (id: number) =>
    (
      await site.platform.database.query(
        `SELECT payload FROM outbox.events WHERE topic = 'audit-event' AND payload ->> 'entityType' = 'Job'
           AND payload ->> 'entityId' = $1 ORDER BY id`,
        [String(id)],
      )
    ).map(({ payload }) => payload as Record<string, string>);

  it('has a record of each submission, failure, abort, resume and resubmission, with the reason that was given', async () => {
    const id = await submit('invoices', 'write-nowhere');
    await site.manager.reaches(id, 'ERROR');
    const reason = encodeURIComponent('the folder “/absent” is there now');
    await act(id, `resume?reason=${reason}`);
    await site.manager.reaches(id, 'ERROR');
    const fresh = (await act(id, 'resubmit?abort=true&reason=corrected')).json() as ShownJob;
    await site.manager.reaches(fresh.id, 'ERROR');
    await act(fresh.id, 'abort');

    const name = 'invoices/write-nowhere';
    const failed = `of ${name} has failed: Step 'write' failed:`;
    expect((await recordsOf(id)).map(({ auditCode, auditMessage }) => [auditCode, auditMessage])).toEqual([
      ['AUD0020A', `User admin has submitted job ${id} of ${name} by the trigger OnDemand`],
      ['AUD0021A', expect.stringContaining(`Job ${id} ${failed}`)],
      ['AUD0023A', `User admin has resumed job ${id} of ${name}: the folder “/absent” is there now`],
      ['AUD0021A', expect.stringContaining(`Job ${id} ${failed}`)],
      ['AUD0022A', `User admin has aborted job ${id} of ${name}: corrected`],
    ]);
    expect((await recordsOf(fresh.id)).map(({ auditMessage }) => auditMessage)).toEqual([
      `User admin has resubmitted job ${id} of ${name} as job ${fresh.id}: corrected`,
      expect.stringContaining(failed),
      `User admin has aborted job ${fresh.id} of ${name}`,
    ]);
    const [submitted] = await recordsOf(id);
    expect(submitted).toMatchObject({
      clusterId: 'MANAGER',
      nodeId: 'node1',
      module: 'manager1 AUDIT',
      auditOperation: 'CREATE',
      dataoneUser: 'admin',
      entityName: name,
      dfiid: expect.stringMatching(/^[0-9a-f-]{36}$/u),
    });
    const { history } = await site.manager.job(id);
    expect(history?.find(({ transition }) => transition === 'resume')?.message).toBe(
      'Resumed by admin: the folder “/absent” is there now',
    );
  });

  it('has one record of a submission that is repeated, and none of what was refused', async () => {
    const body = { contractName: 'invoices', actionName: 'write-report', extIPID: 'audited-once' };
    const { id } = (await site.manager.submit(body)).json() as ShownJob;
    expect((await site.manager.submit(body)).status).toBe(409);
    await site.manager.reaches(id, 'COMPLETED');
    expect((await act(id, 'abort')).status).toBe(409);
    expect((await act(id, `abort?reason=${'x'.repeat(501)}`)).status).toBe(400);
    expect((await act(id, 'abort?reason=%00')).status).toBe(400);
    expect(await recordsOf(id)).toHaveLength(1);
  });
});
