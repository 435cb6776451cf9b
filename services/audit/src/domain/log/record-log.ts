import type { AuditCount, AuditCountQuery } from '@waybill/contracts/endpoints/audit-logs/count-audit-records';
import type { AuditListQuery } from '@waybill/contracts/endpoints/audit-logs/list-audit-records';
import type { AuditContext } from '@waybill/contracts/messages/audit-event';
import type { AuditRecord } from '@waybill/contracts/values/audit-record';
import type { NamesOfActors } from '@waybill/directory/rights/names-of-actors';
import type { ChainHead } from '../chain/chain-head.ts';
import type { StoredRecord } from '../records/log-record.ts';
import type { TreeNode } from '../tree/compact-range.ts';
import type { HashSource } from '../tree/tree-proofs.ts';

/** The end of the log as it is stored. The signature of the checkpoint covers all of it. */
export interface TreeHead {
  readonly size: number;
  /** The nodes of the tree without its last leaf, 32 bytes each, the largest subtree first. */
  readonly frontier: Buffer;
  /** The text of the last leaf; empty without records. */
  readonly lastLeaf: string;
  /** A signed note. */
  readonly checkpoint: string;
}

/** A key and the size of the tree from which it signs; it ends where the next one begins. */
export interface LogKey {
  readonly publicKey: string;
  readonly firstSize: number;
}

/** The audit log for its writer, in one transaction. */
export interface RecordLog {
  /** Waits for other writers to finish, locks the log until the end of the transaction, and reads its end. */
  lockHead(): Promise<TreeHead | undefined>;
  /** True if there are records after the first `count`. */
  hasRecordsAfter(count: number): Promise<boolean>;
  /** The ids that are already recorded. */
  findRecorded(ids: readonly string[]): Promise<ReadonlySet<string>>;
  /** Prepares rows; the returned function adds them. */
  stage(records: readonly StoredRecord[]): () => Promise<void>;
  appendNodes(nodes: readonly TreeNode[]): Promise<void>;
  saveHead(head: TreeHead): Promise<void>;
  /** In the order in which they signed. */
  listKeys(): Promise<LogKey[]>;
  addKey(key: LogKey): Promise<void>;
  readonly hashes: HashSource;
  /** The signed end of the former hash chain. */
  readChainHead(): Promise<ChainHead | undefined>;
  /** The records of the chain up to `last` in order, in batches. */
  readChain(last: number): AsyncIterable<readonly StoredRecord[]>;
}

/** A page of a list. */
export interface RecordPage {
  readonly records: readonly AuditRecord[];
  /** Where the next page begins; `undefined` if this one is not full. */
  readonly nextCursor: string | undefined;
}

/** The only records that a caller may see. */
export interface RecordScope {
  /** Their audit codes. */
  readonly codes: readonly string[];
  /** Whose they are; absent: anybody's. */
  readonly owned?: NamesOfActors | undefined;
}

/** The records for queries: all of them, or those of a scope. */
export interface RecordList {
  /** The records of one page. @throws CodedError `validation_failed` for a cursor of another order */
  list(query: AuditListQuery, scope?: RecordScope): Promise<RecordPage>;
  /** The number of matching records. */
  count(query: Pick<AuditListQuery, 'q' | 'files'>, scope?: RecordScope): Promise<number>;
  /** The circumstances of records, by their ids. */
  contextsOf(ids: readonly string[]): Promise<ReadonlyMap<string, AuditContext>>;
  /** Numbers of matching records over time. */
  countOverTime(query: AuditCountQuery, scope?: RecordScope): Promise<AuditCount[]>;
}
