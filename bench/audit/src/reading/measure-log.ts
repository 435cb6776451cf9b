import { createKnexStoredLog } from '@waybill/audit/adapters/knex-stored-log';
import { checkInThreads } from '@waybill/audit/adapters/verification/check-in-threads';
import { createKnexLogSource } from '@waybill/audit/adapters/verification/knex-log-source';
import { createLogReader } from '@waybill/audit/domain/reading/log-reader';
import { verifyLog } from '@waybill/audit/domain/verification/verify-log';
import { quantile } from '@waybill/bench-filebox/quantile';
import { type BenchLog, openBenchLog } from '../log/open-bench-log.ts';
import { someEvents } from '../log/some-events.ts';
import { measureFloors } from './measure-floors.ts';

/** Fills a log with its writer, then measures what reads all of it, and the proof of single records. */
async function measureLog(count: number, print: (line: string) => void): Promise<void> {
  await using log = await openBenchLog({ fsync: 'off' });
  const filledAt = performance.now();
  for (let at = 0; at < count; at += 2_000) await log.append(someEvents(at, 2_000));
  await log.db.raw('VACUUM ANALYZE audit.records');
  await log.db.raw('CHECKPOINT');
  print(`${count} records, filled in ${((performance.now() - filledAt) / 1_000).toFixed(0)} s`);
  await measureFloors(log, print);
  await measureVerification(log, print);
  await measureExport(log, print);
  await measureProofs(log, count, print);
}

async function measureVerification(log: BenchLog, print: (line: string) => void): Promise<void> {
  const check = checkInThreads(log.db, { url: log.url, applicationName: 'bench verification' });
  const startedAt = performance.now();
  const own = process.cpuUsage();
  const { intact, records } = await verifyLog({
    source: createKnexLogSource(log.db, check),
    trusted: log.trusted,
    remembered: undefined,
    now: new Date(),
    signal: new AbortController().signal,
  });
  const { user, system } = process.cpuUsage(own);
  const rate = records / ((performance.now() - startedAt) / 1_000);
  const cost = ((user + system) / records).toFixed(1);
  print(`verification over two threads: ${rate.toFixed(0)} records/s, intact: ${intact}; Node ${cost} us each`);
}

async function measureExport({ db, trusted }: BenchLog, print: (line: string) => void): Promise<void> {
  const reader = createLogReader(createKnexStoredLog(db), { trusted });
  const startedAt = performance.now();
  let lines = 0;
  let bytes = 0;
  let most = 0;
  globalThis.gc?.();
  const before = process.memoryUsage().rss;
  for await (const text of (await reader.openExport()).lines()) {
    lines += text.split('\n').length - 1;
    bytes += text.length;
    most = Math.max(most, process.memoryUsage().rss);
  }
  const seconds = (performance.now() - startedAt) / 1_000;
  print(
    `export (NDJSON): ${(lines / seconds).toFixed(0)} records/s, ${(bytes / seconds / 2 ** 20).toFixed(0)} MiB/s, ` +
      `memory +${((most - before) / 2 ** 20).toFixed(0)} MiB at most`,
  );
}

async function measureProofs({ db, trusted }: BenchLog, count: number, print: (line: string) => void): Promise<void> {
  const reader = createLogReader(createKnexStoredLog(db), { trusted });
  const spent: number[] = [];
  for (let time = 0; time < 300; time += 1) {
    const sequence = 1 + Math.floor(Math.random() * count);
    const [row] = await db('audit.records').where('sequence', sequence).pluck<string[]>('id');
    const startedAt = performance.now();
    await reader.prove(row ?? '');
    if (time >= 20) spent.push(performance.now() - startedAt);
  }
  print(`proof of one record: p50 ${quantile(spent, 0.5).toFixed(1)} ms, p95 ${quantile(spent, 0.95).toFixed(1)} ms`);
}

const [count = '1000000'] = process.argv.slice(2);
await measureLog(Number(count), (line) => void process.stdout.write(`${line}\n`));
