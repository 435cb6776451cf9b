import { waitFor } from '@waybill/test-kit/wait-for';
import { afterEach, describe, expect, it } from 'vitest';
import { queueRequests, withQueues } from './queue-requests.ts';
import { submitWorkflow } from './submit-workflow.ts';
import { testConfiguration } from './test-configuration.ts';
import { oneJobManager } from './test-managers.ts';

const site = oneJobManager();
const { show, act, pause, submit, abort } = queueRequests(site);

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
    for (const id of [first, second]) await abort(id);
  });

  it('shows the job that has waited longest, whatever its number, and none that waits at a step', async () => {
    const query = (sql: string, ...values: unknown[]) => site.platform.database.query(sql, values);
    const template = { steps: [{ name: 'pause', uses: 'wait', with: { seconds: 3_600 } }] };
    const { id: atStep } = await submitWorkflow(site.platform, site.manager, template);
    await site.manager.reaches(atStep, 'SUSPENDED');
    expect((await show('Default Queue')).json()).toMatchObject({ jobs: { suspended: 1 }, oldestWaiting: null });
    await abort(atStep);
    const ids = [await submit('closed', 'first'), await submit('closed', 'second'), await submit('closed', 'third')];
    for (const id of ids) await site.manager.reaches(id, 'SUSPENDED');
    const aged =
      "UPDATE jobs.active SET since = clock_timestamp() - interval '1 hour' WHERE job_id = $1 RETURNING since";
    const [{ since } = {}] = await query(aged, ids[1]);
    expect((await show('Closed')).json()).toMatchObject({
      jobs: { suspended: 3 },
      oldestWaiting: { id: ids[1], since: (since as Date).toISOString() },
    });
    for (const id of ids) await abort(id);
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
    const removed = new Set(['Closed', 'Urgent']);
    const actors = testConfiguration.actors.map((actor) => ({
      ...actor,
      contracts: actor.contracts.filter((contract) => !('queue' in contract) || !removed.has(contract.queue)),
    }));
    const queues = testConfiguration.queues.filter(({ name }) => !removed.has(name));
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
    await abort(id);
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
