import type { Transaction } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { StoredRecord } from '../domain/records/log-record.ts';
import { otherMembers } from './record-context.ts';

/** Each column, its type, and its value. */
const columns: readonly (readonly [name: string, type: string, value: (record: StoredRecord) => string | null])[] = [
  ['sequence', 'bigint', ({ sequence }) => String(sequence)],
  ['id', 'uuid', ({ id }) => id],
  ['correlation_id', 'uuid', ({ correlationId }) => correlationId],
  ['cluster_id', 'text', ({ clusterId }) => clusterId],
  ['node_id', 'text', ({ nodeId }) => nodeId],
  ['module', 'text', ({ module }) => module],
  ['audit_code', 'text', ({ auditCode }) => auditCode],
  ['audit_operation', 'text', ({ auditOperation }) => auditOperation],
  ['dataone_user', 'text', ({ dataoneUser }) => dataoneUser],
  ['entity_type', 'text', ({ entityType }) => entityType],
  ['entity_name', 'text', ({ entityName }) => entityName],
  ['entity_id', 'text', ({ entityId }) => entityId],
  ['audit_message', 'text', ({ auditMessage }) => auditMessage],
  ['audit_time', 'timestamptz', ({ auditTime }) => auditTime],
  ['dfiid', 'text', ({ dfiid }) => dfiid],
  ['address', 'text', ({ context }) => context.address ?? null],
  ['virtual_file_system', 'text', ({ context }) => context.virtualFileSystem ?? null],
  ['context', 'jsonb', ({ context }) => otherMembers(context)],
  ['producer_id', 'text', ({ producer }) => producer?.id ?? null],
  ['producer_number', 'bigint', ({ producer }) => producer && String(producer.number)],
  ['producer_settled', 'bigint', ({ producer }) => producer && String(producer.settled)],
  ['producer_voided', 'jsonb', ({ producer }) => (producer?.voided ? JSON.stringify(producer.voided) : null)],
  ['salt', 'bytea', ({ salt }) => salt && `\\x${salt}`],
  ['recorded_at', 'timestamptz', ({ recordedAt }) => recordedAt],
  ['hash', 'bytea', ({ hash }) => `\\x${hash}`],
];

const names = columns.map(([name]) => name).join(', ');
const arrays = columns.map(([name, type]) => `CAST(:${name} AS ${type}[])`).join(', ');

const insertion = prepareStatement(
  'audit insert records',
  `INSERT INTO audit.records (${names}) SELECT * FROM unnest(${arrays})`,
);

/** Inserts a batch in one statement, with one array per column: the fastest way without COPY. */
export async function insertRecords(trx: Transaction, records: readonly StoredRecord[]): Promise<void> {
  const values = columns.map(([name, , value]) => [name, records.map((record) => value(record))] as const);
  await runPrepared(trx, insertion, Object.fromEntries(values));
}
