import { setTimeout as sleep } from 'node:timers/promises';
import type { AuditFilter } from '@waybill/contracts/endpoints/audit-logs/audit-filter';
import type { AuditRecord } from '@waybill/contracts/values/audit-record';
import type { StoredRecord } from '../records/log-record.ts';
import type { StoredLog } from './log-reader.ts';

/** What a reader follows. */
export interface FollowOptions {
  readonly filter?: AuditFilter | undefined;
  /** The last record that the reader knows; default: the last one of the log. */
  readonly after?: number | undefined;
  /** The end of the stream, in milliseconds since 1970. */
  readonly endsAt: number;
  readonly signal: AbortSignal;
  /** Default: 250 ms. */
  readonly pollMs?: number;
  /** Default: 15 s. */
  readonly heartbeatMs?: number;
}

/** Each of the readers has a batch in memory if it does not read. */
const recordsAtMost = 200;

/**
 * Server-sent events (WHATWG HTML, section 9.2) of the records after a number. Records are read when the reader has taken the
 * ones before: a slow reader costs no memory, and misses nothing.
 */
export async function* followRecords(
  log: Pick<StoredLog, 'readHead' | 'readRecords'>,
  { filter, after, endsAt, signal, pollMs = 250, heartbeatMs = 15_000 }: FollowOptions,
): AsyncGenerator<string> {
  const sizeNow = async (): Promise<number> => (await log.readHead())?.size ?? 0;
  const begin = await sizeNow();
  const isKnown = after === undefined || after <= begin;
  let position = isKnown ? (after ?? begin) : begin;
  yield `id: ${position}\nevent: ${isKnown ? 'ready' : 'reset'}\ndata: {}\n\n`;
  let sentAt = performance.now();
  const hasEnded = (): boolean => signal.aborted || Date.now() >= endsAt;
  while (!hasEnded()) {
    const size = await sizeNow();
    if (size > position) {
      for await (const records of log.readRecords({ first: position + 1, last: size, filter, most: recordsAtMost })) {
        if (hasEnded()) return;
        const isDue = records.length > 0 || performance.now() - sentAt >= heartbeatMs;
        if (isDue) sentAt = performance.now();
        // Empty if there is nothing to send: the reader may have gone.
        yield records.map(eventOf).join('') || (isDue ? ': still here\n\n' : '');
      }
      position = size;
    }
    if (performance.now() - sentAt >= heartbeatMs) {
      sentAt = performance.now();
      // Without data it is no event, but the reader remembers the id.
      yield `id: ${position}\n: still here\n\n`;
    }
    if (size <= position) await sleep(pollMs, undefined, { signal }).catch(() => {});
  }
}

function eventOf(record: StoredRecord): string {
  return `id: ${record.sequence}\nevent: record\ndata: ${JSON.stringify(listed(record))}\n\n`;
}

/** A record as the list returns it. */
function listed(record: StoredRecord): AuditRecord {
  return {
    id: record.id,
    correlationId: record.correlationId,
    clusterId: record.clusterId,
    nodeId: record.nodeId,
    module: record.module,
    auditCode: record.auditCode,
    auditOperation: record.auditOperation,
    dataoneUser: record.dataoneUser,
    entityType: record.entityType,
    entityName: record.entityName,
    entityId: record.entityId,
    auditMessage: record.auditMessage,
    auditTime: record.auditTime,
    fromAuditTime: null,
    toAuditTime: null,
    dfiid: record.dfiid,
  };
}
