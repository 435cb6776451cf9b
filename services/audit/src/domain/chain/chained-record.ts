import type { AuditEvent } from '@waybill/contracts/messages/audit-event';

/** An audited event with its place in the chain. Hashes are SHA-256 in hexadecimal. */
export interface ChainedRecord extends AuditEvent {
  /** 1, 2, 3, ... without gaps. */
  readonly sequence: number;
  /** The id of the event: a UUID. */
  readonly id: string;
  /** The id of the previous record. */
  readonly correlationId: string;
  /** 16 random bytes in hexadecimal, which keep `personalHash` from being guessed. */
  readonly salt: string;
  readonly previousHash: string;
  readonly hash: string;
}
