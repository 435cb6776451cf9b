import { beforeAll, describe, expect, it } from 'vitest';
import type { ShownJob } from './start-test-job-manager.ts';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';
import { platformAccess, runWaybill } from './waybill-command.ts';

const site = oneJobManager();
const ask = (name: string, approvers: readonly string[]) => ({
  name,
  uses: 'wait-for-approval',
  with: { message: `${name} \${{ variables.what }}?`, approvers },
});
const workflows = {
  'send-totals': [ask('first', ['role:Administrators']), ask('second', ['admin', 'alice'])],
  close: [ask('close', ['viewer'])],
};

beforeAll(async () => {
  const actions = Object.keys(workflows).map((name) => ({ name, trigger: { type: 'OnDemand' }, workflow: name }));
  const contractOf = (name: string) => ({ name, type: 'Mediation', actions });
  const [acme, ...others] = testConfiguration.actors;
  const globex = { name: 'globex', type: 'Partner', contracts: [contractOf('globex-approvals')] };
  await site.platform.apply({
    ...testConfiguration,
    workflowTemplates: [
      ...testConfiguration.workflowTemplates,
      ...Object.entries(workflows).map(([name, steps]) => ({
        name,
        steps: [
          ...steps,
          {
            name: 'then',
            uses: 'log',
            with: {
              message: `\${{ steps['${steps.at(-1)?.name}'].outputs.by }}: \${{ steps['${steps.at(-1)?.name}'].outputs.reason }}`,
            },
          },
        ],
      })),
    ],
    actors: [{ ...acme, contracts: [...(acme?.contracts ?? []), contractOf('approvals')] }, ...others, globex],
  });
});

interface ShownApproval {
  readonly job: number;
  readonly step: string;
  readonly message: string;
}
interface ShownPage {
  readonly approvals: readonly ShownApproval[];
  readonly next?: string;
}

const path = '/job-manager/approvals';
const get = (query: Readonly<Record<string, string>>, bearer = site.manager.admin) =>
  site.manager.client.get(path, { bearer, query });
const list = async (query: Readonly<Record<string, string>> = {}, bearer?: string): Promise<ShownPage> =>
  (await get(query, bearer)).json() as ShownPage;
const jobsOf = ({ approvals }: ShownPage): number[] => approvals.map(({ job }) => job);

async function submit(contractName: string, actionName: string, what = 'it'): Promise<number> {
  const response = await site.manager.submit({ contractName, actionName, actionVariables: { what } });
  const { id } = response.json() as ShownJob;
  await site.manager.reaches(id, 'SUSPENDED');
  return id;
}

const waitsAt = (job: number, step: string) =>
  expect
    .poll(() => list({ job: String(job) }).then(({ approvals }) => approvals.map((one) => one.step)))
    .toEqual([step]);

describe('GET /job-manager/approvals', () => {
  it('lists what waits for an approval, until it is decided', async () => {
    const id = await submit('approvals', 'send-totals', 'march');
    const { approvals, next } = await list({ job: String(id) });
    expect(next).toBeUndefined();
    expect(approvals).toEqual([
      {
        job: id,
        actor: 'acme',
        contract: 'approvals',
        contractAction: 'send-totals',
        submittedBy: 'admin',
        step: 'first',
        message: expect.stringMatching(/^Waiting for approval, at most until .*: first march\?$/u),
        question: 'first march?',
        approvers: ['role:Administrators'],
        mayDecide: true,
        since: expect.any(String),
        until: expect.any(String),
      },
    ]);
    const decide = (query: string) =>
      site.manager.client.post(`/job-manager/jobs/${id}/approve?${query}`, { bearer: site.manager.admin });
    expect((await decide('step=second')).json()).toMatchObject({ code: 'approval_not_awaited' });
    expect((await decide('step=first')).status).toBe(200);
    await waitsAt(id, 'second');
    // A decision that was meant for the first step does not reach the second.
    expect((await decide('step=first')).status).toBe(409);
    expect((await decide('step=second')).status).toBe(200);
    await site.manager.reaches(id, 'COMPLETED');
    expect(await list({ job: String(id) })).toEqual({ approvals: [] });
  });

  it('are decided with an API key by the roles that it and its owner have, or by the owner with the permission alone', async () => {
    const id = await submit('approvals', 'send-totals', 'april');
    const keyWith = async (name: string, scope: object): Promise<string> => {
      const json = { name, ...scope };
      const created = await site.manager.client.post('/platform-application/api/v1/api-keys', {
        json,
        bearer: site.manager.admin,
      });
      expect([created.status, created.text]).toEqual([201, expect.any(String)]);
      return (created.json() as { key: string }).key;
    };
    const foreign = await keyWith('foreign', { roles: ['Operators'] });
    const deciding = await keyWith('deciding', { permissions: ['approvals:run'] });
    const reading = await keyWith('reading', { permissions: ['jobs:read'], roles: ['Auditors'] });
    const decide = (bearer: string) =>
      site.manager.client.post(`/job-manager/jobs/${id}/approve?step=first`, { bearer });
    expect((await decide(foreign)).status).toBe(403);
    expect((await decide(reading)).status).toBe(403);
    expect((await decide(deciding)).status).toBe(200);
    await waitsAt(id, 'second');
    await site.manager.client.post(`/job-manager/jobs/${id}/approve?step=second`, { bearer: site.manager.admin });
    await site.manager.reaches(id, 'COMPLETED');
  });

  it('pages and filters, each approval once and in the order of the jobs', async () => {
    const of = {
      acme: [await submit('approvals', 'send-totals')],
      globex: [await submit('globex-approvals', 'close')],
    };
    of.acme.push(await submit('approvals', 'close'), await submit('approvals', 'send-totals'));
    const all = [...of.acme, ...of.globex].toSorted((one, other) => one - other);
    const seen: number[] = [];
    let page = await list({ maxItems: '3' });
    expect(page.approvals).toHaveLength(3);
    for (;;) {
      seen.push(...jobsOf(page));
      if (page.next === undefined) break;
      page = (await site.manager.client.get(page.next, { bearer: site.manager.admin })).json() as ShownPage;
    }
    expect(seen).toEqual(all);
    expect(jobsOf(await list({ actor: 'globex' }))).toEqual(of.globex);
    expect(jobsOf(await list({ contract: 'approvals', contractAction: 'close' }))).toEqual([of.acme[1]]);
    expect(jobsOf(await list({ step: 'close' }))).toEqual([of.globex[0], of.acme[1]]);
    expect(jobsOf(await list({ actor: `' OR true --` }))).toEqual([]);
    expect(jobsOf(await list({ mayDecide: 'true' }))).toEqual([of.acme[0], of.acme[2]]);
    expect(jobsOf(await list({ mayDecide: 'false' }))).toEqual([of.globex[0], of.acme[1]]);
    expect(jobsOf(await list({ mayDecide: 'true' }, site.manager.viewer))).toEqual([of.globex[0], of.acme[1]]);
  });

  it.each([
    { maxItems: '0' },
    { maxItems: '1001' },
    { job: 'x' },
    { cursor: '-1' },
    { mayDecide: 'yes' },
    { page: '2' },
  ])('refuses %j', async (query) => {
    expect((await get(query)).status).toBe(400);
  });

  it('needs a token', async () => {
    expect((await site.manager.client.get(path)).status).toBe(401);
  });
});

describe('waybill approval', () => {
  it('lists, approves and rejects, once and with a reason', async () => {
    await using access = await platformAccess(site.manager);
    const run = (...args: readonly string[]) => runWaybill('approval', ...args, ...access.options);
    const id = await submit('approvals', 'send-totals', 'the "totals"');
    const listed = await run('list', '--contract', 'approvals', '--action', 'send-totals', '--mine');
    expect(listed.code).toBe(0);
    expect(listed.out).toMatch(/^JOB +CONTRACT +STEP +APPROVERS +QUESTION\n/u);
    expect(listed.out).toMatch(
      new RegExp(`^${id} +approvals/send-totals +first +role:Administrators +first the "totals"\\?$`, 'mu'),
    );
    const [first] = (await run('list', '--actor', 'acme', '--json')).out.split('\n');
    expect(JSON.parse(first ?? '')).toMatchObject({ actor: 'acme' });
    expect(await run('list', '--actor', 'nobody-here')).toEqual({ code: 0, out: 'There are none.\n' });

    const approve = (step: string) => run('approve', String(id), '--step', step, '--reason', 'seen & checked');
    expect((await approve('second')).code).toBe(1);
    expect(await approve('first')).toEqual({ code: 0, out: `job ${id} of approvals/send-totals is approved\n` });
    await waitsAt(id, 'second');
    expect((await approve('first')).out).toContain('waits for no approval');
    expect((await approve('second')).code).toBe(0);
    const job = await site.manager.reaches(id, 'COMPLETED');
    expect(job.steps?.[2]?.log[0]?.message).toBe('admin: seen & checked');

    const other = await submit('approvals', 'send-totals');
    const rejected = await run('reject', String(other), '--json');
    expect(JSON.parse(rejected.out)).toMatchObject({ id: other, contract: 'approvals', contractAction: 'send-totals' });
    expect((await site.manager.reaches(other, 'ERROR')).statusMessage).toContain('Rejected by admin');
    expect((await run('approve', '../queues')).code).toBe(2);
    expect((await runWaybill('approval', 'approve', '1')).code).toBe(2);
  });
});
