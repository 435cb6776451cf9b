import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { auditFilterSchema } from '@waybill/contracts/endpoints/audit-logs/audit-filter';
import { problemSchema } from '@waybill/contracts/errors/problem';
import { expect, it } from 'vitest';
import { createKnexStoredLog } from '../src/adapters/knex-stored-log.ts';
import { followRecords } from '../src/domain/reading/follow-records.ts';
import type { StoredLog } from '../src/domain/reading/log-reader.ts';
import { createAuditRig } from './audit-rig.ts';
import { createRecordRig } from './record-rig.ts';
import { someEvents } from './some-events.ts';

const path = '/platform-application/api/v1/audit';
const matchesNothing = auditFilterSchema.parse('{entityName="absent"}');
const matchesAll = '{fromAuditTime="2020-01-01T00:00:00Z"}';

/** What ten exports with up to three batches of 2000 records each, and ten followers with small ones, may hold. */
const memoryAtMost = 160 * 2 ** 20;

/** The memory that is still used after a garbage collection. */
function usedMemory(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') Reflect.apply(collect, undefined, []);
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

it('exports that are not read, and clients that follow all records and do not read, cost little memory and delay no other reader', async () => {
  await using rig = await createAuditRig();
  await using audit = await rig.start();
  for (let batch = 0; batch < 15; batch += 1) await rig.record.append(someEvents(2_000, `batch${batch}`));
  const headers = { authorization: `Bearer ${rig.token('Auditors')}` };
  const stop = new AbortController();
  const open = async (address: string, more: Readonly<Record<string, string>> = {}) => {
    const url = `http://127.0.0.1:${audit.port}${path}/${address}`;
    return fetch(url, { headers: { ...headers, ...more }, signal: stop.signal });
  };
  const before = usedMemory();
  const exports = await Promise.all(
    Array.from({ length: 14 }, (_, index) => open(index % 2 ? 'export' : `export?q=${encodeURIComponent(matchesAll)}`)),
  );
  expect(exports.filter(({ status }) => status === 200)).toHaveLength(10);
  expect(exports.filter(({ status }) => status === 429)).toHaveLength(4);
  for (const refused of exports.filter(({ status }) => status === 429)) {
    expect(refused.headers.get('retry-after')).toBe('30');
    expect(problemSchema.parse(await refused.json()).code).toBe('too_many_requests');
  }
  const follow = `logs/events?q=${encodeURIComponent(matchesAll)}`;
  const followers = await Promise.all(Array.from({ length: 10 }, () => open(follow, { 'last-event-id': '0' })));
  expect(followers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
  // Until their buffers are full.
  await sleep(2_000);
  const list = await audit.client.get(`${path}/logs`, { query: { page: 0 }, bearer: rig.token('Auditors') });
  expect(list.status).toBe(200);
  expect(usedMemory() - before).toBeLessThan(memoryAtMost);
  stop.abort();
  await expect
    .poll(async () => (await audit.client.get(`${path}/export`, { bearer: rig.token('Auditors') })).status)
    .toBe(200);
});

it('a reader that goes away ends the search for records that it would have got', async () => {
  await using rig = await createRecordRig();
  for (let batch = 0; batch < 18; batch += 1) await rig.append(someEvents(2_000, `batch${batch}`));
  const log = createKnexStoredLog(rig.db);
  let batches = 0;
  const counted: Pick<StoredLog, 'readHead' | 'readRecords'> = {
    readHead: log.readHead,
    readRecords: async function* readRecords(range) {
      for await (const records of log.readRecords(range)) {
        batches += 1;
        yield records;
      }
    },
  };
  const stop = new AbortController();
  const options = { filter: matchesNothing, after: 0, endsAt: Date.now() + 60_000, signal: stop.signal };
  const events = followRecords(counted, options);
  expect((await events.next()).value).toContain('event: ready');
  expect(await events.next()).toEqual({ value: '', done: false });
  await events.return(undefined);
  expect(batches).toBe(1);
  const all: number[] = [];
  for await (const records of log.readRecords({ first: 1, last: 36_000, filter: matchesNothing }))
    all.push(records.length);
  expect(all).toEqual([0, 0, 0]);
});

it('records of a filter are read once, in batches of the most that is asked for', async () => {
  await using rig = await createRecordRig();
  for (let batch = 0; batch < 9; batch += 1) await rig.append(someEvents(2_000, `batch${batch}`));
  const log = createKnexStoredLog(rig.db);
  for (const [q, expected] of [
    [matchesAll, 18_000],
    ['{entityName^="/inbox/batch8"}', 2_000],
  ] as const) {
    const found: number[] = [];
    const filter = auditFilterSchema.parse(q);
    for await (const records of log.readRecords({ first: 1, last: 18_000, filter, most: 300 })) {
      expect(records.length).toBeLessThanOrEqual(300);
      found.push(...records.map(({ sequence }) => sequence));
    }
    expect(found).toEqual(Array.from({ length: expected }, (_, index) => 18_001 - expected + index));
  }
});
