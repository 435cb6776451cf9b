import { setTimeout as delay } from 'node:timers/promises';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import { createMetrics } from '@waybill/service-kit/telemetry/metrics';
import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, test } from 'vitest';
import { auditMessage, createRelayRig } from './relay-rig.ts';

test('a committed event is delivered once, a rolled-back one never', async () => {
  await using rig = await createRelayRig();
  await using _relay = rig.startRelay();
  await using _consumer = rig.startConsumer();
  const rolledBack = rig.db.transaction(async (trx) => {
    await appendToOutbox(trx, [auditMessage('never')]);
    throw new Error('changed my mind');
  });
  await expect(rolledBack).rejects.toThrow('changed my mind');
  await rig.send('one', 'two');
  await waitFor(async () => (await rig.waiting()) === 0, { what: 'an empty outbox' });
  expect(await rig.effects()).toEqual(['one', 'two']);
});

test('several relays and consumers share the work without doing any of it twice', async () => {
  await using rig = await createRelayRig();
  await using _relay1 = rig.startRelay();
  await using _relay2 = rig.startRelay();
  await using _consumer1 = rig.startConsumer();
  await using _consumer2 = rig.startConsumer();
  const texts = Array.from({ length: 400 }, (_, index) => String(index).padStart(4, '0'));
  await Promise.all(texts.map((text) => rig.send(text)));
  await waitFor(async () => (await rig.waiting()) === 0, { what: 'an empty outbox' });
  expect(await rig.effects()).toEqual(texts);
});

test('an event that cannot be handled does not delay the others and is repeated', async () => {
  await using rig = await createRelayRig();
  let failuresLeft = 2;
  await using _consumer = rig.startConsumer(async (trx, events) => {
    if (failuresLeft > 0 && events.some(({ payload }) => payload.entityName === 'bad')) {
      failuresLeft -= 1;
      throw new Error('not yet');
    }
    await rig.record(trx, events);
  });
  await rig.send('bad', 'good');
  await using _relay = rig.startRelay();
  await waitFor(async () => (await rig.effects()).includes('good'), { what: 'the good one' });
  expect(await rig.db('outbox.events').first('attempts', 'last_error')).toEqual({ attempts: 1, last_error: 'not yet' });
  await waitFor(async () => (await rig.waiting()) === 0, { what: 'an empty outbox' });
  expect(await rig.effects()).toEqual(['bad', 'good']);
});

test('a batch that fails with its connection is taken in two halves, and none of its events counts as tried', async () => {
  await using rig = await createRelayRig();
  const sizes: number[] = [];
  await rig.send(...Array.from({ length: 40 }, (_, index) => `${index}`));
  await using _consumer = rig.startConsumer(async (trx, events) => {
    sizes.push(events.length);
    if (sizes.length === 1) await trx.raw('SELECT pg_terminate_backend(pg_backend_pid())');
    expect(await trx('outbox.events').where('attempts', '>', 0).first()).toBeUndefined();
    await rig.record(trx, events);
  });
  await waitFor(async () => (await rig.waiting()) === 0, { what: 'an empty outbox' });
  expect(sizes).toEqual([40, 20, 20]);
  expect(new Set(await rig.effects()).size).toBe(40);
});

test('a burst wakes the consumer only a few times, and all of it is delivered in order', async () => {
  await using rig = await createRelayRig();
  const metrics = createMetrics('test');
  await using _relay = rig.startRelay(metrics);
  await using _consumer = rig.startConsumer();
  const texts = Array.from({ length: 300 }, (_, index) => String(index).padStart(4, '0'));
  const began = performance.now();
  for (const text of texts) await rig.send(text);
  await waitFor(async () => (await rig.waiting()) === 0, { what: 'an empty outbox' });
  const gatheringTimes = Math.ceil((performance.now() - began) / 75) + 1;
  expect(await rig.effects()).toEqual(texts);
  const wakeUps = /waybill_outbox_wake_ups_total\{[^}]*audit-event[^}]*\} (\d+)/u.exec(await metrics.text())?.[1];
  expect(Number(wakeUps)).toBeGreaterThan(0);
  expect(Number(wakeUps)).toBeLessThanOrEqual(gatheringTimes);
});

test('while events wait for a consumer, one message waits in Redis, however many events there are', async () => {
  await using rig = await createRelayRig();
  {
    await using _relay = rig.startRelay();
    for (let round = 0; round < 4; round += 1) {
      await rig.send(`${round} one`, `${round} two`);
      await waitFor(async () => (await rig.waitingWakeUps()) > 0, { what: 'a wake-up' });
      // Longer than the gathering time.
      await delay(200);
    }
    expect(await rig.waitingWakeUps()).toBe(1);
  }
  await using _consumer = rig.startConsumer();
  await waitFor(async () => (await rig.waiting()) === 0, { what: 'an empty outbox' });
  expect(await rig.effects()).toHaveLength(8);
});

test('an event is delivered when its transaction commits, however long that takes', async () => {
  await using rig = await createRelayRig();
  await using _relay = rig.startRelay();
  await using _consumer = rig.startConsumer();
  await rig.db.transaction(async (trx) => {
    await appendToOutbox(trx, [auditMessage('late')]);
    // Nothing is to happen.
    await delay(400);
    expect(await rig.effects()).toEqual([]);
  });
  await waitFor(async () => (await rig.waiting()) === 0, { what: 'an empty outbox' });
  expect(await rig.effects()).toEqual(['late']);
});
