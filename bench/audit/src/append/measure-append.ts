import { startAuditEventConsumer } from '@waybill/audit/consumer/start-audit-event-consumer';
import { extendLog } from '@waybill/audit/domain/records/extend-log';
import { nilId, type StoredRecord } from '@waybill/audit/domain/records/log-record';
import { processorSecondsOfTree } from '@waybill/bench-sftp-gateway/processes/read-processor-seconds';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database } from '@waybill/postgres/database';
import { createLogger } from '@waybill/service-kit/telemetry/logger';
import { type BenchLog, openBenchLog } from '../log/open-bench-log.ts';
import { someEvents } from '../log/some-events.ts';

const batchSize = 2_000;

/**
 * Appends in three ways, each into a log that already has as many records as are measured: plain batched inserts of finished rows
 * into the same table with the same indexes; the writer, with hashes, tree and signatures; and the consumer of the service,
 * out of the outbox. Prints records a second and processor microseconds of each record.
 */
async function measureAppend(count: number, print: (line: string) => void): Promise<void> {
  print(`${count} records in batches of ${batchSize}, after as many; fsync on`);
  const plain = await run(count, print, { name: 'plain batched inserts', append: insertPlainly });
  const writer = await run(count, print, { name: 'the writer', append: appendWithWriter });
  const consumer = await run(count, print, { name: 'the consumer', append: appendWithConsumer });
  print(`writer: ${(writer / plain).toFixed(2)} x plain inserts; consumer: ${(consumer / plain).toFixed(2)} x`);
}

interface Way {
  readonly name: string;
  /** Appends the events from `first` on; `begin` is called when only appending is left. */
  append(log: BenchLog, events: { first: number; count: number }, begin: () => Promise<void>): Promise<void>;
}

async function run(count: number, print: (line: string) => void, { name, append }: Way): Promise<number> {
  await using log = await openBenchLog();
  await append(log, { first: 0, count }, () => Promise.resolve());
  await log.db.raw('VACUUM ANALYZE audit.records');
  await log.db.raw('CHECKPOINT');
  let startedAt = 0;
  let own = process.cpuUsage();
  let postgres = 0;
  await append(log, { first: count, count }, async () => {
    postgres = await processorSecondsOfTree(log.pid);
    own = process.cpuUsage();
    startedAt = performance.now();
  });
  const seconds = (performance.now() - startedAt) / 1_000;
  const { user, system } = process.cpuUsage(own);
  const server = (((await processorSecondsOfTree(log.pid)) - postgres) * 1e6) / count;
  const client = (user + system) / count;
  print(
    `${name.padEnd(22)} ${Math.round(count / seconds)
      .toString()
      .padStart(7)} records/s; processor microseconds: PostgreSQL ${server.toFixed(1)}, Node ${client.toFixed(1)}`,
  );
  return count / seconds;
}

const insertPlainly: Way['append'] = async ({ db }, { first, count }, begin) => {
  const batches: StoredRecord[][] = [];
  for (let at = first; at < first + count; at += batchSize)
    batches.push(extendLog({ size: at, lastId: nilId }, someEvents(at, batchSize), new Date()).records);
  await begin();
  for (const records of batches) await insertBatch(db, records);
};

/** What a program does that knows nothing better: one INSERT with a row of values for each record. */
async function insertBatch(db: Database, records: readonly StoredRecord[]): Promise<void> {
  const rows = records.map((record) => ({
    sequence: record.sequence,
    id: record.id,
    correlation_id: record.correlationId,
    cluster_id: record.clusterId,
    node_id: record.nodeId,
    module: record.module,
    audit_code: record.auditCode,
    audit_operation: record.auditOperation,
    dataone_user: record.dataoneUser,
    entity_type: record.entityType,
    entity_name: record.entityName,
    entity_id: record.entityId,
    audit_message: record.auditMessage,
    audit_time: record.auditTime,
    dfiid: record.dfiid,
    address: record.context.address ?? null,
    virtual_file_system: record.context.virtualFileSystem ?? null,
    salt: `\\x${record.salt}`,
    recorded_at: record.recordedAt,
    hash: `\\x${record.hash}`,
  }));
  await db.raw('INSERT INTO audit.records SELECT * FROM jsonb_populate_recordset(NULL::audit.records, ?)', [
    JSON.stringify(rows),
  ]);
}

const appendWithWriter: Way['append'] = async (log, { first, count }, begin) => {
  const batches = Array.from({ length: count / batchSize }, (_, index) =>
    someEvents(first + index * batchSize, batchSize),
  );
  await begin();
  // Two at a time, as the consumer of the service.
  let before: Promise<void> = Promise.resolve();
  for (const batch of batches) {
    const appended = log.append(batch);
    await before;
    before = appended;
  }
  await before;
};

const appendWithConsumer: Way['append'] = async (log, { first, count }, begin) => {
  for (let at = first; at < first + count; at += batchSize)
    await appendToOutbox(
      log.db,
      someEvents(at, batchSize).map(({ payload }) => ({ topic: 'audit-event', payload })),
    );
  await log.db.raw('VACUUM ANALYZE outbox.events');
  await begin();
  const done = Promise.withResolvers<void>();
  const consumer = startAuditEventConsumer({
    db: log.db,
    // The backlog is taken without a wake-up.
    redisUrl: 'redis://127.0.0.1:1',
    logger: createLogger({ service: 'bench', level: 'silent' }),
    writer: log.writer,
    onRecorded: ({ size }) => {
      if (size >= first + count) done.resolve();
    },
  });
  await done.promise;
  await consumer[Symbol.asyncDispose]();
};

const [count = '200000'] = process.argv.slice(2);
await measureAppend(Number(count), (line) => void process.stdout.write(`${line}\n`));
