import { type CopyValue, copyLine, copyRows } from '@waybill/postgres/copy-rows';
import type { Transaction } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { StoredRecord } from '../domain/records/log-record.ts';
import { otherMembers } from './record-context.ts';

/** Each column and its value. */
const columns: readonly (readonly [name: string, value: (record: StoredRecord) => CopyValue])[] = [
  ['sequence', ({ sequence }) => sequence],
  ['id', ({ id }) => id],
  ['correlation_id', ({ correlationId }) => correlationId],
  ['cluster_id', ({ clusterId }) => clusterId],
  ['node_id', ({ nodeId }) => nodeId],
  ['module', ({ module }) => module],
  ['audit_code', ({ auditCode }) => auditCode],
  ['audit_operation', ({ auditOperation }) => auditOperation],
  ['dataone_user', ({ dataoneUser }) => dataoneUser],
  ['entity_type', ({ entityType }) => entityType],
  ['entity_name', ({ entityName }) => entityName],
  ['entity_id', ({ entityId }) => entityId],
  ['audit_message', ({ auditMessage }) => auditMessage],
  ['audit_time', ({ auditTime }) => auditTime],
  ['dfiid', ({ dfiid }) => dfiid],
  ['address', ({ context }) => context.address ?? null],
  ['virtual_file_system', ({ context }) => context.virtualFileSystem ?? null],
  ['context', ({ context }) => otherMembers(context)],
  ['producer_id', ({ producer }) => producer?.id ?? null],
  ['producer_number', ({ producer }) => producer && producer.number],
  ['producer_settled', ({ producer }) => producer && producer.settled],
  ['producer_voided', ({ producer }) => (producer?.voided ? JSON.stringify(producer.voided) : null)],
  ['salt', ({ salt }) => salt && `\\x${salt}`],
  ['recorded_at', ({ recordedAt }) => recordedAt],
  ['hash', ({ hash }) => `\\x${hash}`],
];

const target = `audit.records (${columns.map(([name]) => name).join(', ')})`;

/** Prepares the rows of a batch; the returned function adds them with COPY. */
export function stageRecords(trx: Transaction, records: readonly StoredRecord[]): () => Promise<void> {
  const text = records.map((record) => copyLine(columns.map(([, value]) => value(record)))).join('');
  const kinds = kindsOf(records);
  return async () => {
    if (records.length === 0) return;
    await runPrepared(trx, addKinds, kinds);
    await copyRows(trx, target, text);
  };
}

/** The different kinds of records: a batch has few. */
function kindsOf(records: readonly StoredRecord[]): Record<string, string[]> {
  const kinds = new Map<string, StoredRecord>();
  for (const record of records) {
    const { clusterId, module, auditCode, auditOperation, entityType } = record;
    kinds.set(`${auditCode}\0${entityType}\0${auditOperation}\0${clusterId}\0${module}`, record);
  }
  const found = [...kinds.values()];
  return {
    clusters: found.map(({ clusterId }) => clusterId),
    modules: found.map(({ module }) => module),
    codes: found.map(({ auditCode }) => auditCode),
    operations: found.map(({ auditOperation }) => auditOperation),
    types: found.map(({ entityType }) => entityType),
  };
}

const addKinds = prepareStatement(
  'audit add kinds',
  `INSERT INTO audit.kinds (kind, cluster_id, module, audit_code, audit_operation, entity_type)
   SELECT audit.kind_of(cluster_id, module, audit_code, audit_operation, entity_type), *
   FROM unnest(CAST(:clusters AS text[]), CAST(:modules AS text[]), CAST(:codes AS text[]), CAST(:operations AS text[]),
     CAST(:types AS text[])) AS given (cluster_id, module, audit_code, audit_operation, entity_type)
   ON CONFLICT DO NOTHING`,
);
