import type { AuditContext, AuditProducer } from '@waybill/contracts/messages/audit-event';
import type { CopiedRow } from '@waybill/postgres/read-copied';
import type { FieldHashes, StoredRecord } from '../domain/records/log-record.ts';
import { contextOf } from './record-context.ts';

/** The columns of a row, in the order in which `copiedRecord` takes them: the columns of the context and of the producer last. */
const columns = [
  'sequence',
  'id',
  'correlation_id',
  'cluster_id',
  'node_id',
  'module',
  'audit_code',
  'audit_operation',
  'dataone_user',
  'entity_type',
  'entity_name',
  'entity_id',
  'audit_message',
  // In milliseconds since 1970, whatever the settings of the session.
  "date_part('epoch', audit_time) * 1000",
  'dfiid',
  "encode(salt, 'hex')",
  'commitments',
  "date_part('epoch', recorded_at) * 1000",
  "encode(previous_hash, 'hex')",
  "encode(hash, 'hex')",
  'address',
  'virtual_file_system',
  'context',
  'producer_id',
  'producer_number',
  'producer_settled',
  'producer_voided',
] as const;
const contextAt = columns.indexOf('address');
const producerAt = columns.indexOf('producer_id');

/** Selects the columns of records, for COPY. */
export const copiedRecordSql = `SELECT ${columns.join(', ')} FROM audit.records`;

/** Selects them as one array of texts, for other statements. */
export const recordTextsSql = `
  SELECT ARRAY[${columns.map((column) => `CAST(${column} AS text)`).join(', ')}] AS texts FROM audit.records`;

/** The record of a row. */
export function copiedRecord(row: CopiedRow): StoredRecord {
  const [sequence, id, correlationId, clusterId, nodeId, module, auditCode, auditOperation, dataoneUser] = row;
  const [entityType, entityName, entityId, auditMessage, auditTime, dfiid, salt, commitments] = row.slice(9);
  const [recordedAt, previousHash, hash] = row.slice(17);
  return {
    sequence: Number(sequence),
    id: id ?? '',
    correlationId: correlationId ?? '',
    // These two are not checked: verification finds others.
    clusterId: (clusterId ?? '') as StoredRecord['clusterId'],
    nodeId: nodeId ?? '',
    module: module ?? '',
    auditCode: auditCode ?? '',
    auditOperation: (auditOperation ?? '') as StoredRecord['auditOperation'],
    dataoneUser: dataoneUser ?? '',
    entityType: entityType ?? '',
    entityName: entityName ?? '',
    entityId: entityId ?? '',
    auditMessage: auditMessage ?? '',
    auditTime: timeOf(auditTime ?? ''),
    dfiid: dfiid ?? null,
    context: contextIn(row),
    producer: producerIn(row),
    salt: salt ?? null,
    commitments: typeof commitments === 'string' ? (JSON.parse(commitments) as FieldHashes) : null,
    recordedAt: typeof recordedAt === 'string' ? recordedTimeOf(recordedAt) : null,
    previousHash: previousHash ?? null,
    hash: hash ?? '',
  };
}

function contextIn(row: CopiedRow): AuditContext {
  const [address = null, virtualFileSystem = null, context] = row.slice(contextAt, producerAt);
  const others = typeof context === 'string' ? (JSON.parse(context) as AuditContext) : null;
  return contextOf({ address, virtualFileSystem, context: others });
}

function producerIn(row: CopiedRow): AuditProducer | null {
  const [id, number, settled, voided] = row.slice(producerAt);
  if (typeof id !== 'string' && number === null && settled === null && voided === null) return null;
  const numbers = typeof voided === 'string' && { voided: JSON.parse(voided) as number[] };
  return { id: id ?? '', number: Number(number), settled: Number(settled), ...numbers };
}

/** The records of a batch have this time in common. */
function recordedTimeOf(milliseconds: string): string {
  if (milliseconds !== lastRecorded.milliseconds) lastRecorded = { milliseconds, text: timeOf(milliseconds) };
  return lastRecorded.text;
}

let lastRecorded = { milliseconds: '0', text: timeOf('0') };

/** A manipulated time (`infinity`) must cause a finding, not an error of the verification. */
function timeOf(milliseconds: string): string {
  const time = new Date(Math.round(Number(milliseconds)));
  return Number.isNaN(time.getTime()) ? milliseconds : time.toISOString();
}
