import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, describe, expect, it } from 'vitest';
import { startTestJobManager, type ShownJob, type TestJobManager } from './start-test-job-manager.ts';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();

const path = (name: string, verb = '') => `/job-manager/queues/${encodeURIComponent(name)}${verb}`;
const show = (name: string, bearer = site.manager.admin) => site.manager.client.get(path(name), { bearer });
const act = (name: string, verb: string, query = {}, manager: TestJobManager = site.manager) =>
  manager.client.post(path(name, `/${verb}`), { bearer: manager.admin, query });
const pause = (name: string, reason = 'maintenance', manager: TestJobManager = site.manager) =>
  act(name, 'pause', { reason }, manager);
const submit = async (contractName: string, name: string): Promise<number> => {
  const response = await site.manager.submit({
    contractName,
    actionName: 'write-report',
    actionVariables: { name },
  });
  return (response.json() as ShownJob).id;
};
const withQueues = (...queues: object[]) => ({
  ...testConfiguration,
  queues: [...testConfiguration.queues, ...queues],
});

afterEach(async () => {
  await site.platform.database.query('DELETE FROM jobs.queue_pauses');
  await site.platform.apply(testConfiguration);
});

describe('the list of queues', () => {
  it('shows the state, the depth and the oldest waiting job of each, the default queue included', async () => {
    const first = await submit('closed', 'first');
    const second = await submit('closed', 'second');
    for (const id of [first, second]) await site.manager.reaches(id, 'SUSPENDED');
    const response = await site.manager.client.get('/job-manager/queues', { bearer: site.manager.viewer });
    expect(response.status).toBe(200);
    const { queues } = response.json() as { queues: { name: string }[] };
    expect(queues.map(({ name }) => name)).toEqual(['Closed', 'Default Queue', 'Single', 'Urgent']);
    const { createdAt } = await site.manager.job(first);
    expect(queues[0]).toEqual({
      name: 'Closed',
      state: 'Disabled',
      configuredStatus: 'Disabled',
      open: false,
      opensAt: null,
      closesAt: null,
      pause: null,
      priority: 5,
      parallelism: 8,
      jobs: { waiting: 0, suspended: 2, running: 0 },
      oldestWaiting: { id: first, since: createdAt },
    });
    expect(queues[3]).toMatchObject({
      state: 'Enabled',
      open: true,
      priority: 10,
      parallelism: 1,
      oldestWaiting: null,
    });
    expect((await show('Closed')).json()).toEqual(queues[0]);
    for (const id of [first, second]) {
      await site.manager.client.post(`/job-manager/jobs/${id}/abort`, { bearer: site.manager.admin });
    }
  });

  it('shows when a Scheduled queue opens and closes next', async () => {
    const always = { from: '00:00', to: '24:00' };
    const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
    const dayAfterTomorrow = days[(new Date().getUTCDay() + 2) % 7];
    await site.platform.apply(
      withQueues(
        { name: 'Always', status: 'Scheduled', slots: [always] },
        { name: 'Later', status: 'Scheduled', slots: [{ ...always, days: [dayAfterTomorrow] }] },
      ),
    );
    const later = await waitFor(
      async () => {
        const response = await show('Later');
        return response.status === 200 ? (response.json() as Record<string, string>) : undefined;
      },
      { what: 'the queue to be known' },
    );
    expect(later).toMatchObject({ state: 'Scheduled', open: false, closesAt: null });
    const midnight = new Date(later['opensAt'] ?? '');
    expect(days[midnight.getUTCDay()]).toBe(dayAfterTomorrow);
    expect(midnight.toISOString()).toContain('T00:00:00.000Z');
    expect((await show('Always')).json()).toMatchObject({ state: 'Scheduled', open: true, closesAt: null });
  });

  it('shows a queue that was removed from the configuration while it has jobs or a pause', async () => {
    const id = await submit('closed', 'orphan');
    await site.manager.reaches(id, 'SUSPENDED');
    await pause('Urgent', 'until the move is done');
    const kept = ['Closed', 'Urgent'];
    const actors = testConfiguration.actors.map((actor) => ({
      ...actor,
      contracts: actor.contracts.filter((contract) => !kept.includes(('queue' in contract && contract.queue) || '')),
    }));
    const queues = testConfiguration.queues.filter(({ name }) => !kept.includes(name));
    await site.platform.apply({ ...testConfiguration, queues, actors });
    await waitFor(async () => (await show('Closed')).text.includes('Removed'), { what: 'the removal' });
    expect((await show('Closed')).json()).toMatchObject({
      state: 'Removed',
      configuredStatus: null,
      open: false,
      priority: null,
      parallelism: null,
      jobs: { suspended: 1 },
      oldestWaiting: { id },
    });
    // The pause belongs to the name: it is still there when the queue comes back.
    expect((await show('Urgent')).json()).toMatchObject({ state: 'Paused', configuredStatus: null, open: false });
    await site.platform.apply(testConfiguration);
    await waitFor(async () => (await show('Urgent')).text.includes('Enabled'), { what: 'the queue to be back' });
    expect((await show('Urgent')).json()).toMatchObject({ state: 'Paused', configuredStatus: 'Enabled', open: false });
    await site.platform.apply({ ...testConfiguration, queues, actors });
    await waitFor(async () => (await show('Urgent')).text.includes('"configuredStatus":null'), { what: 'the removal' });
    // A removed queue without jobs ends with its pause.
    expect((await act('Urgent', 'resume')).json()).toMatchObject({ state: 'Removed', pause: null });
    expect((await show('Urgent')).json()).toMatchObject({ status: 404, code: 'queue_unknown' });
    await site.manager.client.post(`/job-manager/jobs/${id}/abort`, { bearer: site.manager.admin });
  });

  it('refuses names that no queue can have, and those that no queue has', async () => {
    for (const name of ['x'.repeat(300), '\0', 'a\0b']) expect((await show(name)).status, name).toBe(400);
    for (const name of ['none', 'a/b', '../x', '%', "'; DROP TABLE jobs.active --", '__proto__', '🂡']) {
      for (const response of [await show(name), await pause(name), await act(name, 'resume')]) {
        expect(response.json(), name).toMatchObject({ status: 404, code: 'queue_unknown' });
      }
    }
    expect((await site.manager.client.get('/job-manager/queues/%E0%A4%A', { bearer: site.manager.admin })).status).toBe(
      400,
    );
    await site.platform.apply(withQueues({ name: 'day/night (50 %)' }));
    await waitFor(async () => (await show('day/night (50 %)')).status === 200, { what: 'the queue with a slash' });
    expect((await pause('day/night (50 %)')).json()).toMatchObject({ name: 'day/night (50 %)', state: 'Paused' });
  });
});

describe('a paused queue', () => {
  it('suspends its waiting jobs with who, when and why, and starts them when it is resumed', async () => {
    expect((await pause('Single', 'the partner moves its server')).json()).toMatchObject({
      state: 'Paused',
      configuredStatus: 'Enabled',
      open: false,
      pause: { by: 'admin', reason: 'the partner moves its server' },
    });
    const id = await submit('single', 'paused');
    const waiting = await site.manager.reaches(id, 'SUSPENDED');
    expect(waiting.statusMessage).toMatch(
      /^The queue was paused by admin at \d{4}-\d\d-\d\d \d\d:\d\d \(UTC\): the partner moves its server$/u,
    );
    expect((await show('Single')).json()).toMatchObject({ jobs: { suspended: 1 }, oldestWaiting: { id } });
    expect((await act('Single', 'resume', { reason: 'it is back' })).json()).toMatchObject({
      state: 'Enabled',
      open: true,
      pause: null,
    });
    await site.manager.reaches(id, 'COMPLETED');
    const { history } = await site.manager.job(id);
    expect(history?.map(({ transition }) => transition)).toEqual(['submit', 'suspend', 'start', 'complete']);
    const records = await site.platform.database.query(
      `SELECT payload ->> 'auditCode' AS code, payload ->> 'auditMessage' AS message, payload ->> 'entityName' AS name
       FROM outbox.events WHERE topic = 'audit-event' AND payload ->> 'entityType' = 'Job Queue'
         AND payload ->> 'entityName' = 'Single' AND payload ->> 'auditCode' IN ('AUD0027A', 'AUD0028A') ORDER BY id`,
    );
    expect(records).toEqual([
      {
        code: 'AUD0027A',
        message: 'User admin has paused the Job Queue Single: the partner moves its server',
        name: 'Single',
      },
      { code: 'AUD0028A', message: 'User admin has resumed the Job Queue Single: it is back', name: 'Single' },
    ]);
  });

  it('stays paused when a configuration is applied and when the job manager is started again', async () => {
    await pause('Single');
    await site.platform.apply(withQueues({ name: 'Another' }));
    await using other = await startTestJobManager(site.platform, { NODE_NAME: 'node2' });
    await waitFor(async () => (await show('Another')).status === 200, { what: 'the applied configuration' });
    const shown = await other.client.get(path('Single'), { bearer: other.admin });
    expect(shown.json()).toMatchObject({ state: 'Paused', pause: { by: 'admin', reason: 'maintenance' } });
    const id = await submit('single', 'still-paused');
    await site.manager.reaches(id, 'SUSPENDED');
    await act('Single', 'resume', {}, other);
    await site.manager.reaches(id, 'COMPLETED');
  });

  it('that is closed too stays closed when it is resumed, and its jobs say so', async () => {
    const id = await submit('closed', 'twice-closed');
    expect((await site.manager.reaches(id, 'SUSPENDED')).statusMessage).toBe('The queue is disabled');
    await pause('Closed', 'twice');
    expect((await site.manager.job(id)).statusMessage).toMatch(/^The queue was paused by admin at .*: twice$/u);
    expect((await act('Closed', 'resume')).json()).toMatchObject({ state: 'Disabled', open: false });
    expect(await site.manager.job(id)).toMatchObject({ status: 'SUSPENDED', statusMessage: 'The queue is disabled' });
    await site.manager.client.post(`/job-manager/jobs/${id}/abort`, { bearer: site.manager.admin });
  });

  it('is paused and resumed once, and a repetition is told so', async () => {
    expect((await act('Single', 'resume')).json()).toMatchObject({ status: 409, code: 'queue_not_paused' });
    expect((await pause('Single', 'first')).status).toBe(200);
    expect((await pause('Single', 'second')).json()).toMatchObject({
      status: 409,
      code: 'queue_already_paused',
      detail: expect.stringMatching(/^The queue was paused by admin at .*: first$/u),
    });
    expect((await show('Single')).json()).toMatchObject({ pause: { reason: 'first' } });
    expect((await act('Single', 'resume')).status).toBe(200);
    expect((await act('Single', 'resume')).status).toBe(409);
  });

  it('needs a reason of at most 500 characters, and a role that may write SPENGCEMANJOBS', async () => {
    for (const query of [
      {},
      { reason: '' },
      { reason: '  ' },
      { reason: 'x'.repeat(501) },
      { reason: '\0' },
      { reason: 'a', why: 'b' },
    ]) {
      expect((await act('Single', 'pause', query)).json()).toMatchObject({ status: 400, code: 'validation_failed' });
    }
    for (const verb of ['pause', 'resume']) {
      const address = `${path('Single', `/${verb}`)}?reason=x`;
      expect((await site.manager.client.post(address, { bearer: site.manager.viewer })).status).toBe(403);
      expect((await site.manager.client.post(address)).status).toBe(401);
    }
    expect((await show('Single')).json()).toMatchObject({ state: 'Enabled' });
  });

  it('may be paused and resumed by two instances at once: each change is made once, and no job is left behind', async () => {
    await using other = await startTestJobManager(site.platform, { NODE_NAME: 'node2' });
    const ids: number[] = [];
    for (let round = 0; round < 10; round += 1) {
      ids.push(await submit('single', `round-${round}`));
      const paused = await Promise.all([
        pause('Single', 'a'),
        pause('Single', 'b', other),
        submit('single', `in-${round}`),
      ]);
      expect([paused[0].status, paused[1].status].toSorted()).toEqual([200, 409]);
      ids.push(paused[2]);
      const resumed = await Promise.all([act('Single', 'resume'), act('Single', 'resume', {}, other)]);
      expect(resumed.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    }
    const mixed = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        index % 2 === 0 ? pause('Single', 'mixed') : act('Single', 'resume', {}, other),
      ),
    );
    for (const { status } of mixed) expect([200, 409]).toContain(status);
    await act('Single', 'resume');
    for (const id of ids) await site.manager.reaches(id, 'COMPLETED', 30_000);
  });
});
