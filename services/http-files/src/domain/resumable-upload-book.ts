import type { StoringTransaction } from './receipt-book.ts';
import type { ResumableUpload } from './resumable-upload.ts';

/** Keeps what is known of resumable uploads, those that became files for as long as their clients may ask again. */
export interface ResumableUploadBook {
  enter(upload: ResumableUpload): Promise<void>;
  /** One of this user's that has not expired. */
  find(userName: string, id: string): Promise<ResumableUpload | undefined>;
  /** Keeps it longer. */
  extend(id: string, expiresAt: Date): Promise<void>;
  /** Notes which file it became, as part of the transaction that stores the file. */
  markDelivered(transaction: StoringTransaction, id: string, fileset: string): Promise<void>;
  remove(id: string): Promise<void>;
}
