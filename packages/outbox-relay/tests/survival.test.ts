import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, test } from 'vitest';
import { createRelayRig } from './relay-rig.ts';

test('a flushed Redis loses nothing', async () => {
  await using rig = await createRelayRig();
  await using _relay = rig.startRelay();
  await rig.send('one', 'two');
  await waitFor(async () => (await rig.waitingWakeUps()) === 1, { what: 'the wake-up' });
  await rig.redis.flush();
  await using _consumer = rig.startConsumer();
  await waitFor(async () => (await rig.waiting()) === 0, { what: 'an empty outbox' });
  expect(await rig.effects()).toEqual(['one', 'two']);
});

test('a killed Redis delays delivery only until it is back', async () => {
  await using rig = await createRelayRig();
  await using _relay = rig.startRelay();
  await using _consumer = rig.startConsumer();
  await rig.redis.kill();
  await rig.send('one');
  await rig.redis.restart();
  await waitFor(async () => (await rig.waiting()) === 0, { what: 'an empty outbox' });
  expect(await rig.effects()).toEqual(['one']);
});

test('events of a process that was killed before it woke a consumer are found', async () => {
  await using rig = await createRelayRig();
  await using _consumer = rig.startConsumer();
  await rig.send('one');
  await waitFor(async () => (await rig.waiting()) === 0, { what: 'an empty outbox' });
  expect(await rig.effects()).toEqual(['one']);
});
