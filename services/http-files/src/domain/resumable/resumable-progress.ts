import type { Receipt } from '../receipts/receipt.ts';
import type { ResumableUpload } from './resumable-upload.ts';

/** How far a resumable upload is. */
export interface ResumableProgress {
  readonly upload: ResumableUpload;
  /** Bytes that are there for good. */
  readonly offset: number;
  /** That of the file, once it is stored. */
  readonly receipt: Receipt | undefined;
}
