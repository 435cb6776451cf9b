import { mkdtemp, rm } from 'node:fs/promises';
import { generateKeyPairSync, sign } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createKnexRecordLog } from '@waybill/audit/adapters/knex-record-log';
import { insertRecords } from '@waybill/audit/adapters/insert-records';
import { auditSchema } from '@waybill/audit/audit-schema';
import { createLogWriter } from '@waybill/audit/domain/log/log-writer';
import { createTrustedKeys } from '@waybill/audit/domain/keys/trusted-keys';
import { extendLog } from '@waybill/audit/domain/records/extend-log';
import { nilId } from '@waybill/audit/domain/records/log-record';
import { connectPostgres } from '@waybill/postgres/connect-postgres';
import { copyLine, copyRows } from '@waybill/postgres/copy-rows';
import { migrate } from '@waybill/postgres/migrate';
import { startPrivatePostgres } from '@waybill/private-datastores/start-private-postgres';
import { processorSecondsOfTree } from '../../sftp-gateway/src/processes/read-processor-seconds.ts';
import { someEvents } from './log/some-events.ts';
const folder = await mkdtemp(join(tmpdir(), 'waybill-bench-'));
const postgres = await startPrivatePostgres({ folder: join(folder, 'postgres'), settings: { shared_buffers: '1GB', max_wal_size: '8GB' } });
const db = connectPostgres({ url: postgres.socketUrl('waybill'), applicationName: 'bench', statementTimeoutMs: 600_000 });
try {
await migrate(db, auditSchema);
const N = Number(process.argv[2] ?? 100_000), B = 2000;
const t0=performance.now();
const batches = Array.from({ length: N / B }, (_, i) => someEvents(i * B, B));
console.log('make events us', (performance.now()-t0)/N*1000);
let last = { size: 0, lastId: nilId };
const t1=performance.now();
const exts = batches.map((b) => { const e = extendLog(last, b, new Date()); last = { size: last.size + b.length, lastId: b.at(-1)!.id }; return e; });
console.log('extend us', (performance.now()-t1)/N*1000);
const run = async (name: string, sql: string[]) => {
  await db.transaction(async (trx) => { await trx.raw('SET LOCAL session_replication_role = replica'); await trx.raw('TRUNCATE audit.records'); for (const s of sql) await trx.raw(s); });
  await db.raw('CHECKPOINT');
  const p0 = await processorSecondsOfTree(postgres.pid); const cpu0 = process.cpuUsage(); const t = performance.now();
  const { rows: [w0] } = await db.raw("SELECT pg_current_wal_insert_lsn() AS l");
  for (const e of exts) await db.transaction((trx) => insertRecords(trx, e.records));
  const s = performance.now() - t; const c = process.cpuUsage(cpu0);
  const { rows: [w1] } = await db.raw("SELECT pg_current_wal_insert_lsn() - ?::pg_lsn AS l, pg_total_relation_size('audit.records') tot, pg_relation_size('audit.records') heap", [w0.l]);
  const p1 = await processorSecondsOfTree(postgres.pid); console.log(name, 'PG cpu us', ((p1-p0)/N*1e6).toFixed(1), (N / s * 1000).toFixed(0), '/s', (s / N * 1000).toFixed(1), 'us/rec; node cpu', ((c.user + c.system) / N).toFixed(1), 'wal B/rec', w1.l / N, 'total', w1.tot / N, 'heap', w1.heap / N);
};
const kindExpr = `hashtextextended(audit_code || '/' || audit_operation || '/' || cluster_id || '/' || module || '/' || entity_type, 0)`;
const copy = async (name: string, sql: string[]) => {
  await db.transaction(async (trx) => { await trx.raw('SET LOCAL session_replication_role = replica'); await trx.raw('TRUNCATE audit.records'); for (const s of sql) await trx.raw(s); });
  await db.raw('CHECKPOINT');
  const p0 = await processorSecondsOfTree(postgres.pid); const cpu0 = process.cpuUsage(); const t = performance.now();
  for (const e of exts) await db.transaction((trx) => copyRows(trx, 'audit.records (sequence,id,correlation_id,cluster_id,node_id,module,audit_code,audit_operation,dataone_user,entity_type,entity_name,entity_id,audit_message,audit_time,dfiid,salt,recorded_at,hash)',
    e.records.map((r) => copyLine([r.sequence, r.id, r.correlationId, r.clusterId, r.nodeId, r.module, r.auditCode, r.auditOperation, r.dataoneUser, r.entityType, r.entityName, r.entityId, r.auditMessage, r.auditTime, r.dfiid, '\\x' + r.salt, r.recordedAt, '\\x' + r.hash])).join('')));
  const s = performance.now() - t; const c = process.cpuUsage(cpu0);
  const p1 = await processorSecondsOfTree(postgres.pid); console.log(name, 'PG cpu us', ((p1-p0)/N*1e6).toFixed(1), (N / s * 1000).toFixed(0), '/s', (s / N * 1000).toFixed(1), 'us/rec; node cpu', ((c.user + c.system) / N).toFixed(1));
};
await run('as is', []);
await copy('copy as is', []);
const drop = [
  ...['time','user','operation','code','cluster','module','node','entity_type','entity_name','entity_id','message'].map((n) => `DROP INDEX audit.records_${n}`),
  'ALTER TABLE audit.records DROP CONSTRAINT records_correlation_id_key, DROP CONSTRAINT records_id_key'];
await run('PK', drop);
await copy('copy PK', []);
const idx = Object.entries({ id: '(id)', time: '(audit_time, sequence)', kind: `((${kindExpr}), audit_time, sequence)`, node: '(node_id, audit_time, sequence)', user: '(left(dataone_user, 200), audit_time, sequence)', name: '(left(entity_name, 200), audit_time, sequence)', entity: '(left(entity_id, 200), audit_time, sequence)', message: '(left(audit_message, 200), audit_time, sequence)', dfiid: '(dfiid, audit_time, sequence)' }).map(([n, e]) => `CREATE INDEX x_${n} ON audit.records ${e}`);
await run('all', idx);
await copy('copy all', []);
await copy('copy all', []);
await copy('copy, shorter', ['DROP INDEX audit.x_name, audit.x_entity, audit.x_message, audit.x_dfiid', 'CREATE INDEX x_name ON audit.records(left(entity_name,200), sequence)','CREATE INDEX x_entity ON audit.records(left(entity_id,200), sequence)','CREATE INDEX x_message ON audit.records(left(audit_message,200), sequence)','CREATE INDEX x_dfiid ON audit.records(dfiid, sequence)']);
await copy('copy, hash message', ['DROP INDEX audit.x_message', 'CREATE INDEX x_message ON audit.records USING hash(audit_message)']);
const { rows } = await db.raw("SELECT indexrelid::regclass::text n, pg_relation_size(indexrelid)/?::float s FROM pg_index WHERE indrelid='audit.records'::regclass", [N]);
console.log(rows.map((r: any) => `${r.n} ${r.s.toFixed(0)}`).join('; '));
} finally { await db.destroy(); await postgres.stop(); await rm(folder, { recursive: true, force: true }); }
