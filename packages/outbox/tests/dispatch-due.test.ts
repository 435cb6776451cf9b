import { expect, test } from 'vitest';
import { dispatchDue, type DispatchOptions } from '../src/dispatch-due.ts';
import { createOutboxRig } from './outbox-rig.ts';

type Queue = DispatchOptions['queues']['audit-event'];

function queuesThat(addBatch: Queue['addBatch']): DispatchOptions['queues'] {
  const queue = { addBatch, [Symbol.asyncDispose]: () => Promise.resolve() };
  return { 'audit-event': queue, 'file-event': queue, 'job-ready': queue };
}

test('an event can be taken by its consumer from the moment in which it is handed over', async () => {
  await using rig = await createOutboxRig();
  await rig.send('one', 'two');
  let free = 0;
  const queues = queuesThat(async () => {
    const { rows } = await rig.db.raw<{ rows: unknown[] }>('SELECT id FROM outbox.events FOR UPDATE SKIP LOCKED');
    free = rows.length;
  });
  await dispatchDue({ db: rig.db, queues, onHandedOver: () => {} });
  expect(free).toBe(2);
});

test('events that could not be handed over are due again at once', async () => {
  await using rig = await createOutboxRig();
  await rig.send('one');
  const refusing = queuesThat(() => Promise.reject(new Error('redis is away')));
  await expect(dispatchDue({ db: rig.db, queues: refusing, onHandedOver: () => {} })).rejects.toThrow('redis is away');
  let handedOver = 0;
  const queues = queuesThat(() => Promise.resolve());
  await dispatchDue({ db: rig.db, queues, onHandedOver: (_topic, count) => (handedOver += count) });
  expect(handedOver).toBe(1);
});

test('file events go in small batches, which a consumer works off in one transaction', async () => {
  await using rig = await createOutboxRig();
  await rig.db.raw(
    `INSERT INTO outbox.events (id, topic, payload)
     SELECT gen_random_uuid(), 'file-event', '{}' FROM generate_series(1, 30)`,
  );
  const sizes: number[] = [];
  const queues = queuesThat((items) => Promise.resolve(void sizes.push(...items.map(({ data }) => data.ids.length))));
  expect(await dispatchDue({ db: rig.db, queues, onHandedOver: () => {} })).toBe(30);
  expect(sizes).toEqual([25, 5]);
});
