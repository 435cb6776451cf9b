import { listStuckEvents, retryStuckEvents } from '@waybill/outbox/stuck-events';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, test } from 'vitest';
import { reportStuckEvents } from '../src/report-stuck-events.ts';
import { createRelayRig } from './relay-rig.ts';

const by = { user: 'admin', nodeId: 'node1', managerName: 'manager1' };

test('an event that fails for the twentieth time is counted and listed until it is put back', async () => {
  await using rig = await createRelayRig();
  const metrics = createMetrics('test');
  reportStuckEvents({ db: rig.db, metrics });
  const valueOf = async (name: string, topic: string) =>
    Number(new RegExp(`${name}\\{[^}]*topic="${topic}"[^}]*\\} (\\S+)`, 'u').exec(await metrics.text())?.[1]);
  expect(await valueOf('waybill_outbox_stuck_events', 'audit-event')).toBe(0);
  await rig.send('bad');
  await rig.db('outbox.events').update({ attempts: 19, created_at: rig.db.raw("now() - interval '1 hour'") });
  await rig.send('good');
  let isBroken = true;
  await using _consumer = rig.startConsumer(async (trx, events) => {
    if (isBroken && events.some(({ payload }) => payload.entityName === 'bad')) throw new Error('a column is\nmissing');
    await rig.record(trx, events);
  });
  await waitFor(async () => (await listStuckEvents(rig.db, 10)).length > 0, { what: 'the event is set aside' });
  await waitFor(async () => (await rig.effects()).includes('good'), { what: 'the other event' });
  expect(await listStuckEvents(rig.db, 10)).toEqual([
    {
      id: expect.any(String),
      topic: 'audit-event',
      tries: 20,
      lastError: 'a column is\nmissing',
      since: expect.any(Date),
    },
  ]);
  expect(await valueOf('waybill_outbox_stuck_events', 'audit-event')).toBe(1);
  expect(await valueOf('waybill_outbox_stuck_oldest_seconds', 'audit-event')).toBeGreaterThanOrEqual(3_600);
  expect(await valueOf('waybill_outbox_stuck_events', 'file-event')).toBe(0);
  isBroken = false;
  expect(await retryStuckEvents(rig.db, by)).toBe(1);
  await waitFor(async () => (await rig.waiting()) === 0, { what: 'an empty outbox' });
  // The retry is a record itself.
  expect((await rig.effects()).toSorted()).toEqual(['bad', 'events that were set aside', 'good']);
  expect(await valueOf('waybill_outbox_stuck_events', 'audit-event')).toBe(0);
  expect(await retryStuckEvents(rig.db, by)).toBe(0);
});
