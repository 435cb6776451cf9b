import { auditCatalogue } from '@waybill/contracts/messages/audit-catalogue';
import type { StoredRecord } from '../records/log-record.ts';
import { ProducerLedger } from '../records/producer-numbers.ts';
import { erasedValuesOf, redactionOf } from '../redaction/redaction-check.ts';
import { createBatchOrder } from './batch-order.ts';
import { createFindings } from './findings.ts';
import type { CheckedRange, KeyChange, RecordedTimes } from './log-source.ts';
import { createRecordCheck, type RecordBefore } from './record-check.ts';

/** The number of findings of a range that are returned in full. */
const findingsAtMost = 100;
const archiveCode = auditCatalogue.auditRecordsRemoved.code;

/** Checks the records of a range, of which `before` is the record that precedes them, and computes their leaves. */
export function checkRange(before: RecordBefore | undefined, records: readonly StoredRecord[]): CheckedRange {
  const findings = createFindings(findingsAtMost);
  const check = createRecordCheck(findings, before);
  const [order, producers] = [createBatchOrder(findings), new ProducerLedger()];
  const leafHashes = new Uint8Array(records.length * 32);
  const keyChanges: KeyChange[] = [];
  for (const [index, record] of records.entries()) {
    leafHashes.set(check.take(record), index * 32);
    order.take(record);
    producers.take(record);
    const { auditCode, sequence, entityId: from, entityName: to } = record;
    if (auditCode === auditCatalogue.auditKeyChanged.code) keyChanges.push({ sequence, from, to });
  }
  return {
    leafHashes,
    findings: [...findings.first],
    findingCount: findings.count,
    keyChanges,
    erased: records.flatMap((record) => erasedValuesOf(record) ?? []),
    redactions: records.flatMap((record) => redactionOf(record) ?? []),
    archives: records.flatMap((record) => (record.auditCode === archiveCode ? [record.entityId] : [])),
    lastSequence: records.at(-1)?.sequence,
    recorded: timesOf(records),
    producers: producers.numbers(),
    batches: order.ends(),
  };
}

function timesOf(records: readonly StoredRecord[]): RecordedTimes | undefined {
  let times: RecordedTimes | undefined;
  let before: string | null = null;
  for (const { recordedAt, sequence } of records) {
    // The records of a batch have their time in common.
    if (recordedAt === before) continue;
    before = recordedAt;
    const ms = recordedAt === null ? Number.NaN : Date.parse(recordedAt);
    if (Number.isNaN(ms)) continue;
    times ??= { earliestMs: ms, earliestSequence: sequence, latestMs: ms };
    if (ms < times.earliestMs) times = { ...times, earliestMs: ms, earliestSequence: sequence };
    if (ms > times.latestMs) times = { ...times, latestMs: ms };
  }
  return times;
}
