import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { describe, expect, it } from 'vitest';
import { reportExpectations } from '../src/adapters/expectations/report-expectations.ts';
import { dailyAt, expectationSite, hoursFromNow, pageOf, type ShownPage } from './expectation-rig.ts';
import { testConfiguration } from './test-configuration.ts';

const site = expectationSite();
const path = '/job-manager/expectations';
const dayMs = 86_400_000;

/** Days that were missed, and one that is pending. Returns the time that the first of them was due. */
async function missDays(days: number, dueInHours: number): Promise<Date> {
  const due = hoursFromNow(dueInHours);
  await site.expects({ cron: dailyAt(due) });
  await site.judgeAt(hoursFromNow(0));
  await site.judgeAt(new Date(due.getTime() + (days - 1) * dayMs + 60_000));
  return due;
}

async function firstMissed(): Promise<ShownPage['expectations'][number]> {
  const [missed] = (await site.list({ state: 'missed' })).expectations;
  if (!missed) throw new Error('No due time was missed');
  return missed;
}

const get = (query: Readonly<Record<string, string>>, bearer = site.manager.admin) =>
  site.manager.client.get(path, { bearer, query });

describe('the states of expectations', () => {
  it('are listed by pages, each of them once, newest first', async () => {
    await missDays(5, 2);
    const seen: number[] = [];
    let page = pageOf(await get({ maxItems: '2', contract: 'due' }));
    for (;;) {
      expect(page.expectations.length).toBeLessThanOrEqual(2);
      seen.push(...page.expectations.map(({ id }) => id));
      if (page.next === undefined) break;
      page = pageOf(await site.manager.client.get(page.next, { bearer: site.manager.admin }));
    }
    expect(seen).toHaveLength(6);
    expect(seen).toEqual([...new Set(seen)].toSorted((one, other) => other - one));
  });

  it('are found by contract, expectation, state and due time', async () => {
    const due = await missDays(3, 3);
    const count = async (query: Readonly<Record<string, string>>) => pageOf(await get(query)).expectations.length;
    expect(await count({})).toBe(4);
    expect(await count({ contract: 'due', expectation: 'orders', state: 'missed' })).toBe(3);
    expect(await count({ contract: 'Due' })).toBe(0);
    expect(await count({ actor: 'acme', state: 'missed' })).toBe(3);
    expect(await count({ actor: 'globex' })).toBe(0);
    expect(await count({ actor: `acme' OR true --` })).toBe(0);
    expect((await get({ state: 'pending' })).json()).toMatchObject({
      expectations: [{ actor: 'acme', expected: { vfs: 'acme-files', virtualPath: '/inbox', filePattern: '*.due' } }],
    });
    expect(await count({ expectation: `' OR true --` })).toBe(0);
    expect(await count({ state: 'pending' })).toBe(1);
    const second = new Date(due.getTime() + dayMs).toISOString();
    expect(await count({ dueFrom: second, state: 'missed' })).toBe(2);
    expect(await count({ dueTo: second })).toBe(2);
    expect(await count({ dueFrom: second, dueTo: second })).toBe(1);
    expect(await count({ dueFrom: second, dueTo: due.toISOString() })).toBe(0);
  });

  it.each([
    { state: 'lost' },
    { maxItems: '0' },
    { maxItems: '1001' },
    { maxItems: 'all' },
    { cursor: '-1' },
    { cursor: '1e9' },
    { cursor: '99999999999999999999' },
    { dueFrom: 'yesterday' },
    { contract: 'a\u0000b' },
    { actor: 'a\u0000b' },
    { color: 'red' },
  ])('are not listed by %j', async (query) => {
    expect((await get(query)).status).toBe(400);
  });

  it('can be read by users who may read jobs, and not without a login', async () => {
    await missDays(1, 4);
    const { id } = await firstMissed();
    const { client, viewer } = site.manager;
    expect(pageOf(await get({}, viewer)).expectations).toHaveLength(2);
    expect((await client.get(`${path}/${id}`, { bearer: viewer })).json()).toMatchObject({ id, state: 'missed' });
    for (const url of [path, `${path}/${id}`]) expect((await client.get(url)).status).toBe(401);
  });

  it.each(['0', '-1', '1.5', 'x', '99999999999999999999', '%00'])('have no number %s', async (id) => {
    const { client, admin } = site.manager;
    expect((await client.get(`${path}/${id}`, { bearer: admin })).status).toBe(400);
    expect((await site.acknowledge(id, { reason: 'holiday' }, admin)).status).toBe(400);
  });

  it('stay without what was expected when the contract has the expectation no longer', async () => {
    await missDays(1, 4);
    const { id } = await firstMissed();
    await site.platform.apply(testConfiguration);
    const { client, admin } = site.manager;
    const shown = (await client.get(`${path}/${id}`, { bearer: admin })).json();
    expect(shown).toMatchObject({ id, actor: 'acme', expected: null });
  });

  it('are unknown if there are none', async () => {
    const { client, admin } = site.manager;
    const id = Number.MAX_SAFE_INTEGER;
    for (const answer of [
      await client.get(`${path}/${id}`, { bearer: admin }),
      await site.acknowledge(id, { reason: 'holiday' }, admin),
    ]) {
      expect(answer.status).toBe(404);
      expect(answer.json()).toMatchObject({ code: 'expectation_unknown' });
    }
  });

  it('are counted by a metric while they are open', async () => {
    await missDays(2, 5);
    const metrics = createMetrics('test');
    reportExpectations({ db: site.platform.db, metrics });
    const shown = async (state: string) =>
      new RegExp(`^waybill_expectations\\{[^}]*state="${state}"[^}]*\\} (\\d+)$`, 'mu').exec(await metrics.text())?.[1];
    expect([await shown('missed'), await shown('pending'), await shown('late')]).toEqual(['2', '1', '0']);
    const { id } = await firstMissed();
    expect((await site.acknowledge(id, { reason: 'holiday' }, site.manager.admin)).status).toBe(200);
    expect(await shown('missed')).toBe('1');
  });
});

describe('an acknowledgement', () => {
  it('is given once, with a reason that is shown and audited', async () => {
    const due = await missDays(1, 6);
    const { id } = await firstMissed();
    const { admin, client } = site.manager;
    const reason = 'public holiday, see “ticket 7”';
    const answers = await Promise.all([1, 2, 3].map(() => site.acknowledge(id, { reason }, admin)));
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409, 409]);
    expect(answers.find(({ status }) => status === 409)?.json()).toMatchObject({
      code: 'expectation_not_open',
      detail: 'admin has already acknowledged due/orders',
    });
    expect((await client.get(`${path}/${id}`, { bearer: admin })).json()).toMatchObject({
      state: 'acknowledged',
      acknowledgement: { outcome: 'missed', by: 'admin', reason },
    });
    expect(await site.audited('AUD0073A')).toEqual([
      `User admin has acknowledged that due/orders, due at ${due.toISOString()}, was missed: ${reason}`,
    ]);
  });

  it.each([
    {},
    { reason: '' },
    { reason: ' ' },
    { reason: 7 },
    { reason: 'a\u0000b' },
    { reason: 'x'.repeat(501) },
    { reason: 'a', more: 1 },
  ])('needs a reason: %j', async (json) => {
    await missDays(1, 7);
    const { id } = await firstMissed();
    expect((await site.acknowledge(id, json, site.manager.admin)).status).toBe(400);
    expect(await firstMissed()).toMatchObject({ id });
  });

  it('is refused to users who may not change jobs, and without a login', async () => {
    await missDays(1, 8);
    const { id } = await firstMissed();
    expect((await site.acknowledge(id, { reason: 'holiday' }, site.manager.viewer)).status).toBe(403);
    expect((await site.acknowledge(id, { reason: 'holiday' })).status).toBe(401);
    expect(await firstMissed()).toMatchObject({ id });
    expect(await site.audited('AUD0073A')).toEqual([]);
  });

  it('is refused for a due time that is pending, or that was met', async () => {
    const due = hoursFromNow(2);
    await site.expects({ cron: dailyAt(due), windowMinutes: 300 });
    await site.judgeAt(hoursFromNow(0));
    const { id } = await site.reaches('pending');
    expect((await site.acknowledge(id, { reason: 'holiday' }, site.manager.admin)).status).toBe(409);
    await site.platform.deliver('/inbox/in-time.due', Buffer.from('1'));
    await site.reaches('met');
    expect((await site.acknowledge(id, { reason: 'holiday' }, site.manager.admin)).status).toBe(409);
  });

  it('stays when the files come after all, and one of unexpected files ends when another one comes', async () => {
    const due = hoursFromNow(-9);
    await site.expects({ cron: dailyAt(due), windowMinutes: 60 });
    await site.judgeAt(hoursFromNow(-10));
    await site.judgeAt(hoursFromNow(-8));
    const { id } = await firstMissed();
    expect((await site.acknowledge(id, { reason: 'holiday' }, site.manager.admin)).status).toBe(200);
    await site.platform.deliver('/inbox/late.due', Buffer.from('1'));
    expect(await site.reaches('acknowledged', 1)).toMatchObject({ id });
    expect(await site.jobsOf('late')).toHaveLength(1);

    await site.platform.deliver('/inbox/one.due', Buffer.from('1'));
    const unexpected = await site.reaches('unexpected', 1);
    expect((await site.acknowledge(unexpected.id, { reason: 'a test' }, site.manager.admin)).status).toBe(200);
    await site.platform.deliver('/inbox/two.due', Buffer.from('2'));
    expect(await site.reaches('unexpected', 2)).toMatchObject({ id: unexpected.id });
  });
});
