import type { AuditEvent } from '@waybill/contracts/messages/audit-event';

/** An audited event and its id, a UUID. */
export interface IdentifiedEvent {
  readonly id: string;
  readonly payload: AuditEvent;
}

/** An audited event with its place in the log. */
export interface LogRecord extends AuditEvent {
  /** 1, 2, 3, ... without gaps: one more than the index of its leaf. */
  readonly sequence: number;
  /** The id of the event: a UUID. */
  readonly id: string;
  /** The id of the previous record. */
  readonly correlationId: string;
  /** 16 random bytes in hexadecimal, which keep the personal values from being guessed. */
  readonly salt: string;
  /** When the writer appended it; `null` in a record of the hash chain that earlier releases wrote. */
  readonly recordedAt: string | null;
  /** The hash of the previous record in that chain; `null` in all other records. */
  readonly previousHash: string | null;
}

/** A record as it is stored. */
export interface StoredRecord extends LogRecord {
  /** The hash of its leaf; in a record of the chain the SHA-256 of the leaf's text. Hexadecimal. */
  readonly hash: string;
}

/** The `correlationId` of the first record. */
export const nilId = '00000000-0000-0000-0000-000000000000';
