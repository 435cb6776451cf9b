import { describe, expect, it } from 'vitest';
import type { ShownJob } from './start-test-job-manager.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();

const report = { contractName: 'invoices', actionName: 'write-report' };

describe('POST /job-manager/jobs', () => {
  it('returns 201 with the job in the form of the interface', async () => {
    const response = await site.manager.submit({ ...report, actionVariables: { name: 'first' }, extIPID: 'first' });
    expect(response.status).toBe(201);
    const job = response.json() as ShownJob;
    expect(job).toEqual({
      id: expect.any(Number),
      status: 'SUBMITTED',
      statusMessage: "Waiting in queue 'Default Queue'",
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/u),
      updatedAt: expect.stringMatching(/Z$/u),
      submittedBy: 'admin',
      queue: 'Default Queue',
      actor: 'acme',
      contract: 'invoices',
      contractType: 'Mediation',
      contractAction: 'write-report',
      contractActionTrigger: 'OnDemand',
      contractActionWorkflowInstance: {
        id: expect.any(Number),
        workflowTemplateId: expect.any(Number),
        workflowTemplateName: 'write-report',
        workflowTemplateRevision: 1,
        workflowTemplateDescription: 'Writes a text file.',
      },
      dfic: {
        dfiid: expect.stringMatching(/^[0-9a-f-]{36}$/u),
        lcid: expect.stringMatching(/^[0-9a-f-]{36}:0$/u),
        original_contract: 'invoices',
        original_action: 'write-report',
        original_actor: 'acme',
        userAttrs: {},
      },
      extIPID: 'first',
    });
    await site.manager.reaches(job.id, 'COMPLETED');
  });

  it('runs the action with the variables of the contract, over which those of the request win', async () => {
    const { id } = (
      await site.manager.submit({ ...report, actionVariables: { name: 'mine', text: 42 } })
    ).json() as ShownJob;
    await site.manager.reaches(id, 'COMPLETED');
    expect(String(await site.platform.read('/outbox/mine.txt'))).toBe('42');
  });

  it('returns 409 with the same job if the same user repeats the extIPID', async () => {
    const first = await site.manager.submit({ ...report, extIPID: 'again' });
    const second = await site.manager.submit({ ...report, extIPID: 'again', actionVariables: { name: 'other' } });
    expect([first.status, second.status]).toEqual([201, 409]);
    expect((second.json() as ShownJob).id).toBe((first.json() as ShownJob).id);
    expect((second.json() as ShownJob).extIPID).toBe('again');
  });

  it('creates a new job every time without an extIPID, and for the same extIPID of another action', async () => {
    const ids = await Promise.all(
      [
        report,
        report,
        { ...report, extIPID: 'shared' },
        { ...report, actionName: 'write-then-compress', extIPID: 'shared' },
      ].map(async (body) => {
        const response = await site.manager.submit(body);
        expect(response.status).toBe(201);
        return (response.json() as ShownJob).id;
      }),
    );
    expect(new Set(ids).size).toBe(4);
  });

  it('creates one job from a thousand identical concurrent submissions, and names it in all responses', async () => {
    const responses = await Promise.all(
      Array.from({ length: 1_000 }, () => site.manager.submit({ ...report, extIPID: 'rush' })),
    );
    const statuses = Map.groupBy(responses, ({ status }) => status);
    expect(Object.fromEntries([...statuses].map(([status, all]) => [status, all.length]))).toEqual({
      201: 1,
      409: 999,
    });
    expect(new Set(responses.map((response) => (response.json() as ShownJob).id)).size).toBe(1);
    expect((await site.manager.jobs({ extIPID: 'rush' })).jobs).toHaveLength(1);
  }, 90_000);

  it.each([
    ['no contract name', { actionName: 'write-report' }, 'validation_failed'],
    ['no action name', { contractName: 'invoices' }, 'validation_failed'],
    ['a number for a name', { ...report, contractName: 7 }, 'validation_failed'],
    ['an extIPID of 65 characters', { ...report, extIPID: 'x'.repeat(65) }, 'validation_failed'],
    ['an empty extIPID', { ...report, extIPID: '' }, 'validation_failed'],
    ['a list for variables', { ...report, actionVariables: [] }, 'validation_failed'],
    ['NUL in a variable', { ...report, actionVariables: { name: 'a\0b' } }, 'validation_failed'],
    ['a lone surrogate in a name', { ...report, actionVariables: { '\ud800': 1 } }, 'validation_failed'],
    ['NUL in the contract name', { ...report, contractName: 'a\0b' }, 'validation_failed'],
    ['an unknown contract', { ...report, contractName: 'nobody' }, 'contract_unknown'],
    ['an unknown action', { ...report, actionName: 'nothing' }, 'action_unknown'],
    ['an action that files start', { ...report, actionName: 'compress-on-arrival' }, 'action_not_on_demand'],
  ])('answers 400 to %s', async (_name, body, code) => {
    const response = await site.manager.submit(body);
    expect(response.status).toBe(400);
    expect(response.headers.get('content-type')).toContain('application/problem+json');
    expect(response.json()).toMatchObject({ status: 400, code });
  });

  it('returns 400 for variables that are nested too deeply', async () => {
    const body = `{"contractName":"invoices","actionName":"write-report","actionVariables":{"a":${'['.repeat(20_000)}${']'.repeat(20_000)}}}`;
    const response = await site.manager.client.post('/job-manager/jobs', {
      body,
      bearer: site.manager.admin,
      headers: { 'content-type': 'application/json' },
    });
    expect(response.status).toBe(400);
  });

  it('accepts 64 characters of extIPID, of any kind', async () => {
    const extIPID = 'ž☃'.repeat(32);
    const response = await site.manager.submit({ ...report, extIPID });
    expect(response.status).toBe(201);
    expect((await site.manager.jobs({ extIPID })).jobs).toHaveLength(1);
  });

  it('needs a login, and a role that may write WORKFLOW', async () => {
    expect((await site.manager.client.post('/job-manager/jobs', { json: report })).status).toBe(401);
    expect((await site.manager.submit(report, 'not-a-token')).status).toBe(401);
    const refused = await site.manager.submit(report, site.manager.viewer);
    expect(refused.status).toBe(403);
    expect(refused.json()).toMatchObject({ code: 'not_permitted' });
  });
});
