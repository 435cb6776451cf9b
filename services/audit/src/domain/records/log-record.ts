import type { AuditContext, AuditEvent, AuditProducer } from '@waybill/contracts/messages/audit-event';

/** An audited event and its id, a UUID. */
export interface IdentifiedEvent {
  readonly id: string;
  readonly payload: AuditEvent;
}

/** An audited event with its place in the log. */
export interface LogRecord extends Omit<AuditEvent, 'context' | 'producer'> {
  /** 1, 2, 3, ... without gaps: one more than the index of its leaf. */
  readonly sequence: number;
  /** The id of the event: a UUID. */
  readonly id: string;
  /** The id of the previous record. */
  readonly correlationId: string;
  /** Empty if the event has none. */
  readonly context: AuditContext;
  readonly producer: AuditProducer | null;
  /**
   * 16 random bytes for each personal field that has a value, in the order of their names, in hexadecimal: they keep the
   * values from being guessed. A record of the former hash chain has 16 bytes, and `null` after a redaction.
   */
  readonly salt: string | null;
  /** After a redaction: the commitments to the fields that were erased. Their values are `redactedValue`. */
  readonly commitments: FieldHashes | null;
  /** When the writer appended it; `null` in a record of the hash chain that earlier releases wrote. */
  readonly recordedAt: string | null;
  /** The hash of the previous record in that chain; `null` in all other records. */
  readonly previousHash: string | null;
}

/** A hexadecimal text for each of some personal fields. */
export type FieldHashes = Readonly<Record<string, string>>;

/** A record as it is stored. */
export interface StoredRecord extends LogRecord {
  /** The hash of its leaf; in a record of the chain the SHA-256 of the leaf's text. Hexadecimal. */
  readonly hash: string;
}

/** The `correlationId` of the first record. */
export const nilId = '00000000-0000-0000-0000-000000000000';

/** What the fields of the interface have in place of an erased value; other personal fields are absent. */
export const redactedValue = '[redacted]';
