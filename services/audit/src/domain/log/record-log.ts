import type { AuditListQuery } from '@waybill/contracts/endpoints/audit-logs/list-audit-records';
import type { AuditRecord } from '@waybill/contracts/values/audit-record';
import type { ChainedRecord } from '../chain/chained-record.ts';
import type { SignedHead } from '../chain/signed-head.ts';
import type { Digest } from '../digests/digest.ts';

/** The audit log for its writer, in one transaction. */
export interface RecordLog {
  /** Waits for other writers to finish, locks the log until the end of the transaction, and reads the head. */
  lockHead(): Promise<SignedHead | undefined>;
  /** True if there are no records and no digests. */
  isEmpty(): Promise<boolean>;
  /** The ids that are already recorded. */
  findRecorded(ids: readonly string[]): Promise<ReadonlySet<string>>;
  append(records: readonly ChainedRecord[]): Promise<void>;
  findDigest(number: number): Promise<Digest | undefined>;
  /** Hashes of the records from `first` to `last`, in order. */
  readHashes(first: number, last: number): Promise<string[]>;
  appendDigest(digest: Digest): Promise<void>;
  saveHead(head: SignedHead): Promise<void>;
}

/** The records for queries. */
export interface RecordList {
  /** The records of one page. */
  list(query: AuditListQuery): Promise<AuditRecord[]>;
}
