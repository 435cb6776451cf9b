import { queueNameOf } from '@waybill/outbox-relay/queue-name';
import type { Transaction } from '@waybill/postgres/database';
import { connectRedis } from '@waybill/redis/connect-redis';
import { createQueue } from '@waybill/redis/create-queue';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { expect, it } from 'vitest';
import { createKnexRecordLog } from '../src/adapters/knex-record-log.ts';
import { createLogWriter, type LogWriter } from '../src/domain/log/log-writer.ts';
import { createAuditRig } from './audit-rig.ts';
import { createRecordRig, type RecordRig, noAnchors } from './record-rig.ts';
import { someEvents } from './some-events.ts';

function writerOf({ signer, trusted, memory }: RecordRig) {
  const keys = { signer, trusted, reload: () => Promise.resolve() };
  return createLogWriter({
    keys,
    memory,
    anchored: noAnchors,
    identity: { managerName: 'manager1', nodeId: 'node1' },
  });
}

type Batch = readonly [name: string, count: number, failure?: Error];

/** Appends the batches in their order, each in a transaction of its own, all of which have begun before. */
async function appendAll(rig: RecordRig, writer: LogWriter, batches: readonly Batch[]) {
  const begun: [Transaction, Batch][] = [];
  for (const batch of batches) begun.push([await rig.db.transaction(), batch]);
  const appended = begun.map(async ([trx, [name, count, failure]]) => {
    try {
      const outcome = await writer.append(createKnexRecordLog(trx), someEvents(count, name));
      if (failure) throw failure;
      await trx.commit();
      outcome.remember();
      return outcome.size;
    } catch (error) {
      await trx.rollback();
      throw error;
    }
  });
  const results = await Promise.allSettled(appended);
  return results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'));
}

it('batches in overlapping transactions are stored in the order of the calls', async () => {
  await using rig = await createRecordRig();
  const batches: readonly Batch[] = [
    ['a', 300],
    ['b', 700],
    ['c', 1],
    ['d', 600],
  ];
  expect(await appendAll(rig, writerOf(rig), batches)).toEqual([300, 1_000, 1_001, 1_601]);
  expect(await rig.verify()).toMatchObject({ intact: true, records: 1_601 });
  const names = await rig.db('audit.records').orderBy('sequence').pluck<string[]>('entity_name');
  expect(names.map((name) => name.charAt(7)).join('')).toBe(`${'a'.repeat(300)}${'b'.repeat(700)}c${'d'.repeat(600)}`);
});

it('a batch that was hashed after one that is not committed is hashed again', async () => {
  await using rig = await createRecordRig();
  const writer = writerOf(rig);
  const failure = new Error('no commit');
  const batches: readonly Batch[] = [
    ['lost', 50, failure],
    ['second', 50],
    ['gone', 50, failure],
    ['third', 50],
  ];
  expect(await appendAll(rig, writer, [['first', 50]])).toEqual([50]);
  expect(await appendAll(rig, writer, batches)).toEqual(['failed', 100, 'failed', 150]);
  expect(await appendAll(rig, writer, [['fourth', 50]])).toEqual([200]);
  expect(await rig.verify()).toMatchObject({ intact: true, records: 200 });
});

/** What a process sends that commits events all the time: it gathers those of 75 ms. */
const wakeUpsOfAnHour = 3_600_000 / 75;

it('while the service is away for an hour, Redis holds one wake-up, however many events there are', async () => {
  await using rig = await createAuditRig();
  const logger = createLogger({ service: 'test', level: 'silent' });
  const redis = connectRedis({ url: rig.redis.url, name: 'test', logger });
  const used = async () => Number(/used_memory:(\d+)/u.exec(await redis.info('memory'))?.[1]);
  const waiting = () => redis.llen('waybill:queue:outbox.audit-event:wait');
  try {
    {
      await using _relay = rig.startRelay();
      await using queue = createQueue({ redisUrl: rig.redis.url, name: queueNameOf('audit-event'), logger });
      await rig.send(someEvents(1, 'begin'));
      await expect.poll(waiting).toBe(1);
      const before = await used();
      for (let burst = 0; burst < 10; burst += 1) await rig.send(someEvents(500, `burst${burst}`));
      for (let sent = 0; sent < wakeUpsOfAnHour; sent += 500)
        await Promise.all(Array.from({ length: 500 }, () => queue.wake()));
      expect(await waiting()).toBe(1);
      expect((await used()) - before).toBeLessThan(1024 * 1024);
      // Nothing else changes with the time.
      const keys = await redis.keys('*');
      expect(await Promise.all(keys.map((key) => redis.pttl(key)))).toEqual(keys.map(() => -1));
    }
    await using _audit = await rig.start();
    await rig.recorded(60_000);
    expect(await rig.record.verify()).toMatchObject({ intact: true, records: 5_001 });
  } finally {
    redis.disconnect();
  }
});
