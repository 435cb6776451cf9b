import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, describe, expect, it } from 'vitest';
import { queuePath, queueRequests, withQueues } from './queue-requests.ts';
import { startTestJobManager } from './start-test-job-manager.ts';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();
const { show, act, pause, submit, abort } = queueRequests(site);

afterEach(async () => {
  await site.platform.database.query('DELETE FROM jobs.queue_pauses');
  await site.platform.apply(testConfiguration);
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
      `SELECT payload ->> 'auditCode' AS code, payload ->> 'auditMessage' AS message, payload ->> 'entityName' AS name,
         payload #>> '{context,reason}' AS reason
       FROM outbox.events WHERE topic = 'audit-event' AND payload ->> 'entityType' = 'Job Queue'
         AND payload ->> 'entityName' = 'Single' AND payload ->> 'auditCode' IN ('AUD0027A', 'AUD0028A') ORDER BY id`,
    );
    expect(records).toEqual([
      {
        code: 'AUD0027A',
        message: 'User admin has paused the Job Queue Single: the partner moves its server',
        name: 'Single',
        reason: 'the partner moves its server',
      },
      {
        code: 'AUD0028A',
        message: 'User admin has resumed the Job Queue Single: it is back',
        name: 'Single',
        reason: 'it is back',
      },
    ]);
  });

  it('stays paused when a configuration is applied and when the job manager is started again', async () => {
    await pause('Single');
    await site.platform.apply(withQueues({ name: 'Another' }));
    await using other = await startTestJobManager(site.platform, { NODE_NAME: 'node2' });
    await waitFor(async () => (await show('Another')).status === 200, { what: 'the applied configuration' });
    const shown = await other.client.get(queuePath('Single'), { bearer: other.admin });
    expect(shown.json()).toMatchObject({ state: 'Paused', pause: { by: 'admin', reason: 'maintenance' } });
    const id = await submit('single', 'still-paused');
    await site.manager.reaches(id, 'SUSPENDED');
    await act('Single', 'resume', {}, other);
    await site.manager.reaches(id, 'COMPLETED');
  });

  it('is not that of a queue which gets its name later, over the API, and jobs run; the end is audited', async () => {
    const { admin: bearer, client } = site.manager;
    const address = '/platform-application/api/v1/queues/Slow';
    const put = () => client.request('PUT', address, { json: { status: 'Enabled' }, bearer });
    const ended = async () =>
      await site.platform.database.query(
        `SELECT payload ->> 'dataoneUser' AS user, payload ->> 'auditMessage' AS message FROM outbox.events
          WHERE topic = 'audit-event' AND payload ->> 'auditCode' = 'AUD0028A' AND payload ->> 'entityName' = 'Slow'`,
      );
    expect((await put()).status).toBe(201);
    await waitFor(async () => (await pause('Slow')).status === 200, { what: 'the queue to be known' });
    expect((await client.request('DELETE', address, { bearer })).status).toBe(204);
    expect((await put()).status).toBe(201);
    await expect
      .poll(async () => (await show('Slow')).json(), { timeout: 10_000 })
      .toMatchObject({ state: 'Enabled', open: true, pause: null });
    await expect
      .poll(ended, { timeout: 10_000 })
      .toEqual([{ user: 'platform', message: 'User platform has resumed the Job Queue Slow: the queue was deleted' }]);
    expect(await site.platform.database.query('SELECT * FROM jobs.queue_pauses')).toEqual([]);
    await client.request('DELETE', address, { bearer });
  });

  it('that is closed too stays closed when it is resumed, and its jobs say so', async () => {
    const id = await submit('closed', 'twice-closed');
    expect((await site.manager.reaches(id, 'SUSPENDED')).statusMessage).toBe('The queue is disabled');
    await pause('Closed', 'twice');
    expect((await site.manager.job(id)).statusMessage).toMatch(/^The queue was paused by admin at .*: twice$/u);
    expect((await act('Closed', 'resume')).json()).toMatchObject({ state: 'Disabled', open: false });
    expect(await site.manager.job(id)).toMatchObject({ status: 'SUSPENDED', statusMessage: 'The queue is disabled' });
    await abort(id);
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
      const address = `${queuePath('Single', `/${verb}`)}?reason=x`;
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
      expect(new Set([paused[0].status, paused[1].status])).toEqual(new Set([200, 409]));
      ids.push(paused[2]);
      const resumed = await Promise.all([act('Single', 'resume'), act('Single', 'resume', {}, other)]);
      expect(new Set(resumed.map(({ status }) => status))).toEqual(new Set([200, 409]));
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
