import type { AuditListQuery } from '@waybill/contracts/endpoints/audit-logs/list-audit-records';
import type { AuditRecord } from '@waybill/contracts/values/audit-record';
import type { ChainedRecord } from '../chain/chained-record.ts';
import type { SignedHead } from '../chain/signed-head.ts';
import type { Digest } from '../digests/digest.ts';

/** The stored record as its writer sees it, in one transaction. */
export interface RecordLog {
  /** Waits until there is no other writer, locks until the end of the transaction, and reads the head. */
  lockHead(): Promise<SignedHead | undefined>;
  /** True when there is neither a record nor a digest. */
  isEmpty(): Promise<boolean>;
  /** Those of the ids that are recorded already. */
  findRecorded(ids: readonly string[]): Promise<ReadonlySet<string>>;
  append(records: readonly ChainedRecord[]): Promise<void>;
  findDigest(number: number): Promise<Digest | undefined>;
  /** Hashes of the records from `first` to `last`, in order. */
  readHashes(first: number, last: number): Promise<string[]>;
  appendDigest(digest: Digest): Promise<void>;
  saveHead(head: SignedHead): Promise<void>;
}

/** Where records are looked up. */
export interface RecordList {
  /** The records of one page. */
  list(query: AuditListQuery): Promise<AuditRecord[]>;
}
