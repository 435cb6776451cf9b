import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { DeliveryAddition } from '@waybill/filebox/model/delivery-addition';
import type { CommitOptions } from '@waybill/filebox/model/upload';
import type { Receipt } from './receipt.ts';

/** An upload that its client may send again. */
export interface KeyedUpload {
  /** The client's name for it. */
  readonly key: string;
  /** What has to be the same for it to count as the same: a digest of path, content and metadata. */
  readonly fingerprint: string;
}

/** An upload that was answered under a key, at most a day ago. */
export interface AnsweredUpload {
  readonly fingerprint: string;
  readonly receipt: Receipt;
}

/** The transaction that stores a file. */
export type StoringTransaction = Parameters<NonNullable<CommitOptions['within']>>[0];

/** Keeps the receipts of uploads. */
export interface ReceiptBook {
  /** Enters what a user sends to a path, as it sees it, when it is delivered. */
  entry(userName: string, path: VirtualPath): DeliveryAddition;
  /**
   * Enters an upload under its key, too, as part of the transaction that stores it.
   * @throws CodedError `idempotency_key_reused` when the user has another upload under that key
   */
  enterKey(transaction: StoringTransaction, receipt: Receipt, keyed: KeyedUpload): Promise<void>;
  /** The receipt of a file that a user has sent. */
  find(userName: string, fileset: string): Promise<Receipt | undefined>;
  /** What a user was answered under a key. */
  findAnswered(userName: string, key: string): Promise<AnsweredUpload | undefined>;
}
