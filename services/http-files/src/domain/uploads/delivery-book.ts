import type { FileEntry } from '@waybill/filebox/model/entry';
import type { StoredReceipt } from '@waybill/filebox/model/stored-receipt';
import type { Upload } from '@waybill/filebox/model/upload';
import type { KeyedUpload } from '../receipts/receipt-book.ts';

/** What is entered together with a file: its receipt, and what else belongs to its upload. */
export interface DeliveryEntries extends StoredReceipt {
  /** The key that the upload is answered under from now on. */
  readonly answered?: KeyedUpload | undefined;
  readonly resumed?: ResumedUpload | undefined;
}

/** A resumable upload that becomes a file. */
export interface ResumedUpload {
  readonly id: string;
  /** The partial uploads that it was joined from, which are removed: of several finals of the same parts, one is stored. */
  readonly parts: readonly string[];
}

/** Stores files together with their entries. */
export interface DeliveryBook {
  /**
   * Commits an upload: the file and all of its entries are stored, or none of them. A file and its receipt are one statement.
   * @throws CodedError `idempotency_key_reused` when the user has another upload under that key, `upload_unknown` when one of
   * the parts is gone, and as `Upload.commit` does
   */
  commit(upload: Pick<Upload, 'commit'>, entries: DeliveryEntries): Promise<FileEntry>;
}
