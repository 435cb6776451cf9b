import { waitFor } from '@waybill/test-kit/wait-for';
import { expect, test } from 'vitest';
import { appendToOutbox } from '../src/append-to-outbox.ts';
import { auditMessage, createOutboxRig } from './outbox-rig.ts';

test('what commits is delivered once, what rolls back never', async () => {
  await using rig = await createOutboxRig();
  await using _relay = await rig.startRelay();
  await using _consumer = rig.startConsumer();
  const rolledBack = rig.db.transaction(async (trx) => {
    await appendToOutbox(trx, [auditMessage('never')]);
    throw new Error('changed my mind');
  });
  await expect(rolledBack).rejects.toThrow('changed my mind');
  await rig.send('one', 'two');
  await waitFor(async () => (await rig.waiting()) === 0, { what: 'an empty outbox', timeoutMs: 10_000 });
  expect(await rig.effects()).toEqual(['one', 'two']);
});

test('several relays and consumers share the work without doing any of it twice', async () => {
  await using rig = await createOutboxRig();
  await using _relay1 = await rig.startRelay();
  await using _relay2 = await rig.startRelay();
  await using _consumer1 = rig.startConsumer();
  await using _consumer2 = rig.startConsumer();
  const texts = Array.from({ length: 400 }, (_, index) => String(index).padStart(4, '0'));
  await Promise.all(texts.map((text) => rig.send(text)));
  await waitFor(async () => (await rig.waiting()) === 0, { what: 'an empty outbox', timeoutMs: 10_000 });
  expect(await rig.effects()).toEqual(texts);
});

test('an event that cannot be handled does not hold up the others and is tried again', async () => {
  await using rig = await createOutboxRig();
  let failuresLeft = 2;
  await using _consumer = rig.startConsumer(async (trx, events) => {
    if (failuresLeft > 0 && events.some(({ payload }) => payload.entityName === 'bad')) {
      failuresLeft -= 1;
      throw new Error('not yet');
    }
    await rig.record(trx, events);
  });
  await rig.send('bad', 'good');
  await using _relay = await rig.startRelay();
  await waitFor(async () => (await rig.effects()).includes('good'), { what: 'the good one' });
  expect(await rig.db('outbox.events').first('attempts', 'last_error')).toEqual({ attempts: 1, last_error: 'not yet' });
  await waitFor(async () => (await rig.waiting()) === 0, { what: 'an empty outbox', timeoutMs: 10_000 });
  expect(await rig.effects()).toEqual(['bad', 'good']);
});

test('of many events one after the other few wake anybody, and all are handed over soon', async () => {
  await using rig = await createOutboxRig();
  let woken = 0;
  await using _listener = await rig.listen(() => (woken += 1));
  const texts = Array.from({ length: 100 }, (_, index) => String(index).padStart(4, '0'));
  for (const text of texts) await rig.send(text);
  expect(woken).toBeLessThan(texts.length);
  woken = 0;
  await using _relay = await rig.startRelay();
  await using _consumer = rig.startConsumer();
  await waitFor(async () => (await rig.waiting()) === 0, { what: 'an empty outbox', timeoutMs: 10_000 });
  expect(await rig.effects()).toEqual(texts);
  await rig.send('after a pause');
  await waitFor(() => Promise.resolve(woken > 0), { what: 'a waking' });
  await waitFor(async () => (await rig.waiting()) === 0, { what: 'an empty outbox', timeoutMs: 10_000 });
});

test('while much is committed it is handed over in rounds with a rest between them, and nothing is left behind', async () => {
  await using rig = await createOutboxRig();
  await using _relay = await rig.startRelay();
  const restMs = 20;
  const began = performance.now();
  for (let index = 0; index < 150; index += 1) await rig.send(String(index));
  const tookMs = performance.now() - began;
  const due = async () =>
    Number((await rig.db('outbox.events').where('next_attempt_at', '<=', rig.db.fn.now()).count())[0]?.['count']);
  await waitFor(async () => (await due()) === 0, { what: 'all to be handed over', timeoutMs: 10_000 });
  // All that one round takes gets the same time for its next attempt.
  const rounds = await rig.db('outbox.events').distinct('next_attempt_at');
  expect(rounds.length).toBeGreaterThan(1);
  expect(rounds.length).toBeLessThanOrEqual(Math.ceil(tookMs / restMs) + 2);
});
