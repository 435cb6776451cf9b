import { connectRedis } from '@waybill/redis/connect-redis';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { expect, it } from 'vitest';
import { createKnexRecordLog } from '../src/adapters/knex-record-log.ts';
import { createLogWriter } from '../src/domain/log/log-writer.ts';
import { createAuditRig } from './audit-rig.ts';
import { createRecordRig, type RecordRig } from './record-rig.ts';
import { someEvents } from './some-events.ts';

function writerOf({ signer, trusted, memory }: RecordRig) {
  const keys = { signer, trusted, reload: () => Promise.resolve() };
  return createLogWriter({ keys, memory, identity: { managerName: 'manager1', nodeId: 'node1' } });
}

it('batches in overlapping transactions are stored in the order of the calls', async () => {
  await using rig = await createRecordRig();
  const writer = writerOf(rig);
  const append = (count: number, name: string) =>
    rig.db.transaction(async (trx) => writer.append(createKnexRecordLog(trx), someEvents(count, name)));
  const outcomes = await Promise.all([append(300, 'a'), append(700, 'b'), append(1, 'c'), append(600, 'd')]);
  expect(outcomes.map(({ size }) => size)).toEqual([300, 1_000, 1_001, 1_601]);
  for (const outcome of outcomes) outcome.remember();
  expect(await rig.verify()).toMatchObject({ intact: true, records: 1_601 });
  const names = await rig.db('audit.records').orderBy('sequence').pluck<string[]>('entity_name');
  expect(names.map((name) => name.charAt(7)).join('')).toBe(
    `${'a'.repeat(300)}${'b'.repeat(700)}c${'d'.repeat(600)}`,
  );
});

it('a batch that was hashed after one that is not committed is hashed again', async () => {
  await using rig = await createRecordRig();
  const writer = writerOf(rig);
  const append = async (name: string, failure?: Error) => {
    const outcome = await rig.db.transaction(async (trx) => {
      const appended = await writer.append(createKnexRecordLog(trx), someEvents(50, name));
      if (failure) throw failure;
      return appended;
    });
    outcome.remember();
    return outcome.size;
  };
  await append('first');
  const results = await Promise.allSettled([
    append('lost', new Error('no commit')),
    append('second'),
    append('gone', new Error('no commit')),
    append('third'),
  ]);
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
    'failed',
    100,
    'failed',
    150,
  ]);
  expect(await append('fourth')).toBe(200);
  expect(await rig.verify()).toMatchObject({ intact: true, records: 200 });
});

it('while the service is away, Redis holds one wake-up, however many events there are', async () => {
  await using rig = await createAuditRig();
  const logger = createLogger({ service: 'test', level: 'silent' });
  const redis = connectRedis({ url: rig.redis.url, name: 'test', logger });
  const used = async () => Number(/used_memory:(\d+)/u.exec(await redis.info('memory'))?.[1]);
  const waiting = () => redis.llen('waybill:queue:outbox.audit-event:wait');
  try {
    {
      await using _relay = rig.startRelay();
      await rig.send(someEvents(1, 'begin'));
      await expect.poll(waiting).toBe(1);
      const before = await used();
      for (let burst = 0; burst < 40; burst += 1) {
        await rig.send(someEvents(500, `burst${burst}`));
        expect(await waiting()).toBe(1);
      }
      expect((await used()) - before).toBeLessThan(1024 * 1024);
    }
    await using _audit = await rig.start();
    await rig.recorded(60_000);
    expect(await rig.record.verify()).toMatchObject({ intact: true, records: 20_001 });
  } finally {
    redis.disconnect();
  }
});
