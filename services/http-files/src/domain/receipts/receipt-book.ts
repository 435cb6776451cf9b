import type { OwningUser } from '../access/caller.ts';
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

/** Keeps the receipts of uploads. */
export interface ReceiptBook {
  /** The receipt of a file that a user has sent. */
  find(user: OwningUser, fileset: string): Promise<Receipt | undefined>;
  /** What a user was answered under a key. */
  findAnswered(user: OwningUser, key: string): Promise<AnsweredUpload | undefined>;
}
