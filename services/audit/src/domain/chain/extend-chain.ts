import { randomBytes } from 'node:crypto';
import type { AuditEvent } from '@waybill/contracts/messages/audit-event';
import type { ChainHead } from './chain-head.ts';
import type { ChainedRecord } from './chained-record.ts';
import { hashRecord } from './hash-record.ts';

/** An audited event and its id, a UUID. */
export interface IdentifiedEvent {
  readonly id: string;
  readonly payload: AuditEvent;
}

const saltBytes = 16;

/** The records of these events after the head, in the given order. */
export function extendChain(head: Readonly<ChainHead>, events: readonly IdentifiedEvent[]): ChainedRecord[] {
  const records: ChainedRecord[] = [];
  const salts = randomBytes(saltBytes * events.length).toString('hex');
  let previous = { sequence: head.sequence, id: head.recordId, hash: head.recordHash };
  for (const [index, { id, payload }] of events.entries()) {
    const unhashed = {
      ...payload,
      // The hashed value must be the one that the database returns: milliseconds, UTC.
      auditTime: new Date(payload.auditTime).toISOString(),
      id,
      sequence: previous.sequence + 1,
      correlationId: previous.id,
      previousHash: previous.hash,
      salt: salts.slice(index * saltBytes * 2, (index + 1) * saltBytes * 2),
    };
    const record = { ...unhashed, hash: hashRecord(unhashed) };
    records.push(record);
    previous = record;
  }
  return records;
}
