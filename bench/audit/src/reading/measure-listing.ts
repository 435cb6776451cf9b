import { createKnexRecordList } from '@waybill/audit/adapters/listing/knex-record-list';
import type { RecordList } from '@waybill/audit/domain/log/record-log';
import { quantile } from '@waybill/bench-filebox/quantile';
import { openBenchLog } from '../log/open-bench-log.ts';
import { fillRecords } from './fill-records.ts';
import { listingCases, queryOf } from './listing-cases.ts';

/** How often each page is read, after a first time that warms the caches. */
const times = 20;

/** How far the cursor goes before the page in the middle is measured. */
const pagesBefore = 5;

/** Pages of 100 in a table of so many records: milliseconds from the call of the store to the records in memory. */
async function measureListing(
  { count, part }: { count: number; part: string },
  print: (line: string) => void,
): Promise<void> {
  await using log = await openBenchLog({ fsync: 'off', wal_level: 'minimal', max_wal_senders: '0' });
  const filledAt = performance.now();
  await fillRecords(log.db, count);
  print(
    `${count} records, filled in ${((performance.now() - filledAt) / 1_000).toFixed(0)} s; pages of 100, ${times} times each`,
  );
  const list = createKnexRecordList(log.db);
  print('page                                          records  p50 ms  p95 ms  next p95');
  const slowest = { first: 0, next: 0, range: 0, half: 0 };
  for (const { name, query } of listingCases(count).filter((one) => one.name.includes(part))) {
    const first = await measure(list, query);
    const next =
      first.cursor === undefined ? undefined : await measure(list, { ...query, cursor: await walk(list, query) });
    const kind = kindOf(name);
    slowest[kind] = Math.max(slowest[kind], first.p95);
    if (kind !== 'half') slowest.next = Math.max(slowest.next, next?.p95 ?? 0);
    const figures = [first.p50, first.p95, ...(next ? [next.p95] : [])].map((ms) => ms.toFixed(1).padStart(7));
    print(`${name.padEnd(45)} ${String(first.records).padStart(7)} ${figures.join(' ')}`);
  }
  print(
    `slowest p95: first pages ${slowest.first.toFixed(1)} ms, pages by cursor ${slowest.next.toFixed(1)} ms, ` +
      `with a range of time ${slowest.range.toFixed(1)} ms, in an order within half of the time ${slowest.half.toFixed(1)} ms`,
  );
}

function kindOf(name: string): 'first' | 'range' | 'half' {
  if (name.endsWith('half of the time')) return 'half';
  return name.endsWith('an hour') || name.endsWith('no time') ? 'range' : 'first';
}

async function measure(list: RecordList, query: Readonly<Record<string, string>>) {
  const parsed = queryOf(query);
  const { records, nextCursor } = await list.list(parsed);
  const spent: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const startedAt = performance.now();
    await list.list(parsed);
    spent.push(performance.now() - startedAt);
  }
  return { records: records.length, cursor: nextCursor, p50: quantile(spent, 0.5), p95: quantile(spent, 0.95) };
}

async function walk(list: RecordList, query: Readonly<Record<string, string>>): Promise<string> {
  let cursor = '';
  for (let page = 0; page < pagesBefore; page += 1) {
    const next = (await list.list(queryOf({ ...query, ...(cursor !== '' && { cursor }) }))).nextCursor;
    if (next === undefined) break;
    cursor = next;
  }
  return cursor;
}

const [count = '10000000', part = ''] = process.argv.slice(2);
await measureListing({ count: Number(count), part }, (line) => void process.stdout.write(`${line}\n`));
