import type { OwningUser } from '../access/caller.ts';
import type { Concatenation } from './concatenation.ts';
import type { ResumableUpload } from './resumable-upload.ts';

/** Keeps what is known of resumable uploads, those that became files for as long as their clients may ask again. */
export interface ResumableUploadBook {
  /**
   * Enters a new one, if its user then has no more than so many that are unfinished, however many are begun at once.
   * @throws CodedError `unfinished_upload_limit_reached`, `idempotency_key_reused` (its user has another one of that key)
   */
  enter(upload: ResumableUpload, unfinishedAtMost: number): Promise<void>;
  /** One of this user's that has not expired. */
  find(user: OwningUser, id: string): Promise<ResumableUpload | undefined>;
  /** The one that this user has begun under a key, while it has not expired. */
  findKeyed(user: OwningUser, key: string): Promise<ResumableUpload | undefined>;
  /** The one that this user has last begun of the same parts in the same order, while it has not expired. */
  findJoined(user: OwningUser, concatenation: Concatenation): Promise<ResumableUpload | undefined>;
  /** Notes the length of one that had none. */
  setLength(id: string, length: number): Promise<void>;
  /** Keeps it longer. */
  extend(id: string, expiresAt: Date): Promise<void>;
  /** Removes one that did not become a file. */
  remove(id: string): Promise<void>;
}
