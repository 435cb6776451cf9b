import { setTimeout as delay } from 'node:timers/promises';
import { existing } from '@waybill/test-kit/values/existing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestJobManager, type ShownJob, type TestJobManager } from './start-test-job-manager.ts';
import { startTestPlatform, type TestPlatform } from './start-test-platform.ts';

let platform: TestPlatform;
let manager: TestJobManager;
let all: ShownJob[];

beforeAll(async () => {
  platform = await startTestPlatform();
  manager = await startTestJobManager(platform, { JOB_MANAGER_BASE_PATH: '/ghibli-rest/v2' });
  const submissions = [
    { contractName: 'invoices', actionName: 'write-report', extIPID: 'one' },
    { contractName: 'invoices', actionName: 'write-unknown', extIPID: 'two words' },
    { contractName: 'closed', actionName: 'write-report', actionVariables: { name: 'closed' } },
    { contractName: 'urgent', actionName: 'write-report', actionVariables: { name: 'urgent' } },
    { contractName: 'invoices', actionName: 'write-then-compress', extIPID: 'one' },
  ];
  const ends = ['COMPLETED', 'ERROR', 'SUSPENDED', 'COMPLETED', 'ERROR'];
  for (const [index, body] of submissions.entries()) {
    const { id } = (await manager.submit(body)).json() as ShownJob;
    await manager.reaches(id, ends[index] ?? '');
    await delay(5);
  }
  all = (await manager.jobs({ sort: '+id' })).jobs;
});

afterAll(async () => {
  await manager?.[Symbol.asyncDispose]();
  await platform?.[Symbol.asyncDispose]();
});

const path = '/ghibli-rest/v2/job-manager/jobs';
const idsOf = (jobs: readonly ShownJob[]) => jobs.map(({ id }) => id);
const pick = (...places: readonly number[]) => places.map((place) => all[place]?.id);
const get = (query: string) => manager.client.get(`${path}${query}`, { bearer: manager.admin });

describe('GET /job-manager/jobs', () => {
  it('lists every job, newest first, without a next link', async () => {
    const page = await manager.jobs();
    expect(idsOf(page.jobs)).toEqual(pick(4, 3, 2, 1, 0));
    expect(page).not.toHaveProperty('next');
  });

  it.each([
    ['status', 'SUSPENDED', [2]],
    ['status', 'ERROR', [1, 4]],
    ['queue', 'Default Queue', [0, 1, 4]],
    ['queue', 'default queue', []],
    ['contract', 'invoices', [0, 1, 4]],
    ['contract', 'invoice', []],
    ['contract', 'invoices%', []],
    ['workflowTemplateName', 'write-then-compress', [4]],
    ['workflowTemplateRevision', 1, [0, 1, 2, 3, 4]],
    ['workflowTemplateRevision', 2, []],
    ['extIPID', 'one', [0, 4]],
    ['extIPID', 'two words', [1]],
    ['submittedBy', 'admin', [0, 1, 2, 3, 4]],
    ['submittedBy', 'viewer', []],
    ['actor', 'acme', [0, 1, 2, 3, 4]],
    ['contractAction', 'write-report', [0, 2, 3]],
    ['contractType', 'Mediation', [0, 1, 2, 3, 4]],
    ['contractType', 'Input', []],
    ['contractActionTrigger', 'OnDemand', [0, 1, 2, 3, 4]],
    ['contractActionTrigger', 'NewFile', []],
  ])('matches %s=%s exactly', async (name, value, places) => {
    const { jobs } = await manager.jobs({ sort: '+id', [name]: value });
    expect(idsOf(jobs)).toEqual(pick(...places));
  });

  it('matches what only a job itself has', async () => {
    const job = existing(all[3]);
    const { dfic, contractActionWorkflowInstance: workflow } = job;
    for (const query of [{ id: job.id }, { dfiid: String(dfic['dfiid']) }, { lcid: String(dfic['lcid']) }]) {
      expect(idsOf((await manager.jobs(query)).jobs)).toEqual([job.id]);
    }
    const byTemplate = await manager.jobs({ workflowTemplateId: Number(workflow['workflowTemplateId']), sort: '+id' });
    expect(idsOf(byTemplate.jobs)).toEqual(pick(0, 1, 2, 3));
  });

  it('joins filters by and', async () => {
    const { jobs } = await manager.jobs({ contract: 'invoices', extIPID: 'one', status: 'ERROR' });
    expect(idsOf(jobs)).toEqual(pick(4));
  });

  it('accepts times with any offset as inclusive bounds, even with a literal + in the query', async () => {
    const [from, to] = [existing(all[1]).createdAt, existing(all[3]).createdAt];
    const inTokyo = (time: string) => new Date(Date.parse(time) + 9 * 3_600_000).toISOString().replace('Z', '+09:00');
    const bounded = await manager.jobs({ createdAtFrom: inTokyo(from), createdAtTo: inTokyo(to), sort: '+id' });
    expect(idsOf(bounded.jobs)).toEqual(pick(1, 2, 3));
    const literal = await get(`?sort=+id&createdAtFrom=${inTokyo(from)}&createdAtTo=${inTokyo(to)}`);
    expect(idsOf((literal.json() as { jobs: ShownJob[] }).jobs)).toEqual(pick(1, 2, 3));
    const updated = await manager.jobs({ updatedAtFrom: existing(all[4]).updatedAt });
    expect(idsOf(updated.jobs)).toContain(existing(all[4]).id);
    expect(idsOf(updated.jobs)).not.toContain(all[0]!.id);
  });

  it.each([
    'id',
    'status',
    'queue',
    'contract',
    'submittedBy',
    'createdAt',
    'updatedAt',
    'workflowTemplateName',
    'workflowTemplateId',
    'workflowTemplateRevision',
  ])('sorts by %s both ways, and pages through without losing or repeating a job', async (field) => {
    const valueOf = (job: ShownJob) =>
      ({ ...job, ...job.contractActionWorkflowInstance, id: job.id })[field] as string | number;
    for (const direction of ['+', '-']) {
      const seen: ShownJob[] = [];
      let link = `${path}?sort=${encodeURIComponent(direction + field)}&maxItems=2`;
      for (let pages = 0; link !== '' && pages < 9; pages += 1) {
        const page = (await manager.client.get(link, { bearer: manager.admin })).json() as {
          jobs: ShownJob[];
          next?: string;
        };
        expect(page.jobs.length).toBeLessThanOrEqual(2);
        seen.push(...page.jobs);
        link = page.next ?? '';
        if (link !== '') expect(link.startsWith(`${path}?`)).toBe(true);
      }
      expect(idsOf(seen).toSorted((a, b) => a - b)).toEqual(idsOf(all));
      const sorted = direction === '+' ? seen : seen.toReversed();
      for (const [index, job] of sorted.entries()) {
        const before = sorted[index - 1];
        if (before) expect(compare(valueOf(before), valueOf(job)) || before.id - job.id).toBeLessThan(0);
      }
    }
  });

  it('keeps the filters in the next link, and gives none when the page is just full', async () => {
    const first = await manager.jobs({ contract: 'invoices', maxItems: 2, sort: '+id' });
    expect(idsOf(first.jobs)).toEqual(pick(0, 1));
    const second = (await manager.client.get(first.next ?? '', { bearer: manager.admin })).json() as object;
    expect(idsOf((second as { jobs: ShownJob[] }).jobs)).toEqual(pick(4));
    expect(second).not.toHaveProperty('next');
    expect(await manager.jobs({ contract: 'invoices', maxItems: 3 })).not.toHaveProperty('next');
  });

  it.each([
    '?maxItems=0',
    '?maxItems=1001',
    '?maxItems=ten',
    '?maxItems=1.5',
    '?maxItems=1e2',
    '?maxItems=0x10',
    '?maxItems=+7',
    '?maxItems=',
    '?sort=-actor',
    '?sort=%2B',
    '?status=DONE',
    '?id=one',
    '?id=-1',
    '?id=99999999999999999999',
    '?createdAtFrom=yesterday',
    '?createdAtFrom=2026-03-02T10:00:00',
    '?createdAtTo=0000-01-01T00:00:00Z',
    '?cursor=nonsense',
    `?sort=-createdAt&cursor=${Buffer.from('["x",1]').toString('base64url')}`,
    `?extIPID=${'x'.repeat(65)}`,
    '?contract=%00',
    '?status=ERROR&status=RUNNING',
  ])('answers 400 to %s, naming the field', async (query) => {
    const response = await get(query);
    expect(response.status).toBe(400);
    expect(response.json()).toMatchObject({ code: 'validation_failed', errors: [{ field: expect.any(String) }] });
  });

  it.each([
    ['?maxItem=5', 'maxItem', 'is not a parameter of this request; did you mean maxItems?'],
    ['?STATUS=ERROR', 'STATUS', 'is not a parameter of this request; did you mean status?'],
    ['?colour=red', 'colour', 'is not a parameter of this request'],
    ['?__proto__=x', '__proto__', 'is not a parameter of this request'],
  ])('answers 400 to %s, naming the parameter that it does not have', async (query, field, message) => {
    const response = await get(query);
    expect(response.status).toBe(400);
    expect(response.json()).toMatchObject({
      code: 'validation_failed',
      detail: `${field}: ${message}`,
      errors: [{ field, message }],
    });
  });

  it('names every parameter that it does not have', async () => {
    const { errors } = (await get('?colour=red&shape=round')).json() as { errors: { field: string }[] };
    expect(errors.map(({ field }) => field)).toEqual(['colour', 'shape']);
  });

  it('needs a role that may read SPENGCEMANJOBS', async () => {
    const tokenWith = async (roles: string): Promise<string> => {
      await platform.database.query(`UPDATE directory.manager_users SET roles = $1 WHERE name = 'viewer'`, [roles]);
      const response = await manager.client.post('/platform-application/api/v1/auth/login', {
        json: { username: 'viewer', password: 'viewer-demo' },
      });
      return (response.json() as { accessToken: string }).accessToken;
    };
    const bearer = await tokenWith('{}');
    // Rights are remembered for a second.
    await expect.poll(async () => (await manager.client.get(path, { bearer })).status).toBe(403);
    const refused = await manager.client.get(path, { bearer });
    expect(refused.json()).toMatchObject({ code: 'not_permitted', detail: expect.stringContaining('SPENGCEMANJOBS') });
    const permitted = await tokenWith('{Users}');
    await expect.poll(async () => (await manager.client.get(path, { bearer: permitted })).status).toBe(200);
  });

  it('is permitted to every role, but not without a login', async () => {
    expect((await manager.client.get(path, { bearer: manager.viewer })).status).toBe(200);
    expect((await manager.client.get(path)).status).toBe(401);
  });

  it('shows one job with its steps and its history', async () => {
    const shown = await manager.job(existing(all[4]).id);
    expect(shown.steps).toEqual([
      expect.objectContaining({ name: 'write', status: 'COMPLETED', attempts: 1, error: '' }),
      expect.objectContaining({ name: 'compress', status: 'ERROR', attempts: 2 }),
    ]);
    expect(shown.history?.map(({ from, to, by }) => [from, to, by])).toEqual([
      [null, 'SUBMITTED', 'admin'],
      ['SUBMITTED', 'RUNNING', 'platform'],
      ['RUNNING', 'ERROR', 'platform'],
    ]);
    expect((await get('/999999')).status).toBe(404);
    expect((await get('/none')).status).toBe(400);
  });
});

function compare(one: string | number, other: string | number): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
