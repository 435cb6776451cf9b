import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Transaction } from '@waybill/postgres/database';
import type { CompanionWrite } from './companion-write.ts';
import type { Download } from './download.ts';
import type { FileEntry } from './entry.ts';
import type { Origin } from './origin.ts';
import type { StoredReceipt } from './stored-receipt.ts';
import type { TransferRight } from './transfer-right.ts';

/** How to store a file. */
export interface UploadOptions {
  origin: Origin;
  /** False: `already_exists` if there is a file of that name, now or at the commit. */
  overwrite: boolean;
  /**
   * Only replaces a file that exists at the commit, with one of these contents (SHA-256, hexadecimal) or with any:
   * otherwise `precondition_failed`. Of several such uploads that saw the same file, one commits.
   */
  inPlaceOf?: readonly string[] | 'anything';
  /** Default: `application/octet-stream`. */
  mediaType?: string;
  /** User keys, and writable keys of the system class with their prefix. */
  metadata?: Readonly<Record<string, string>>;
  /**
   * False: `already_exists` also if the uploader has an uncommitted upload (`resumable`) at the path, suspended or
   * running. Of several such uploads that begin at the same time with `resumable`, one does. Default: true.
   */
  besideUploads?: boolean;
  /** The uploader sees the file while it grows, and can resume it after a suspension. For SFTP. */
  resumable?: boolean;
  /**
   * Starts from what the uploader sees at the path instead of from zero bytes: from the uploader's own suspended
   * upload, else from a copy of the file, else from zero bytes. With `file` never from an upload.
   */
  resume?: boolean | 'file';
  /**
   * A new version of the file that is at the path, and of no other: it is committed where that file was renamed to, and
   * not at all after that file was removed.
   */
  followsFile?: boolean;
  /** What is known of its size: a VFS with limits refuses an upload that does not fit before its first byte. */
  expectedBytes?: { atLeast: number; atMost: number };
  /**
   * Until the commit it takes the room of a new file, even if it replaces one: for callers that must not learn whether
   * there is one, which a refusal by a limit would disclose.
   */
  countsAsNew?: boolean;
  /**
   * When it is withdrawn the upload ends as by `suspend`, and nothing is committed: the commit checks it too. It is
   * disposed of when the upload ends, or cannot begin.
   */
  right?: TransferRight | undefined;
}

/** Options of a commit. */
export interface CommitOptions {
  /**
   * Runs in the one transaction that commits the file, just before it commits: an error that it throws undoes the
   * commit and is thrown by `commit`.
   */
  within?(transaction: Transaction, entry: FileEntry): Promise<void>;
  /** Stored by the statement that commits the file, without a further round trip; before `within` is called. */
  receipt?: StoredReceipt;
  /** Written by the statement that commits the file, without a further round trip; before `within` is called. */
  companion?: CompanionWrite;
}

/**
 * A file being uploaded. It is invisible to others before `commit` has resolved; afterwards all of it is visible, on
 * disk and in the index. Ends by exactly one of commit, suspend and discard; disposing of one that has not ended
 * discards it.
 */
export interface Upload extends AsyncDisposable {
  /** Identifies the stored bytes. */
  readonly blobId: string;
  /** The size so far, including running writes. */
  size(): number;
  /**
   * Writes a chunk at an offset, and resolves when it is written: await it for back-pressure. Chunks are written in the
   * order of the calls and are not copied: do not change them until then. After a failed write every later call fails
   * with the same error.
   * @throws CodedError `storage_full`, `byte_limit_reached`, `operation_unsupported` (a gap of more than 1 GiB)
   */
  write(chunk: Uint8Array, offset: number): Promise<void>;
  /** Truncates the file, or extends it with zeros, to this many bytes. @throws as `write` does */
  truncate(size: number): Promise<void>;
  /**
   * At most `length` bytes of the content so far, from an offset, including all writes before this call; fewer only at
   * the end.
   */
  read(offset: number, length: number): Promise<Buffer>;
  /**
   * Makes the file a copy of a whole file, replacing what was written so far. Within one class of storage no byte is
   * moved: both share one blob, until this upload is changed. The download may be closed before the commit.
   * @throws CodedError `content_missing`, and as `write` does
   */
  copyFrom(source: Pick<Download, 'entry' | 'read'>): Promise<void>;
  /** Makes the bytes written so far survive a crash of the machine. */
  sync(): Promise<void>;
  /** Follows a rename to this path. It replaces a file there: the rename was allowed to. */
  moveTo(path: VirtualPath): void;
  /** The modification time of the file; default: the time of the commit. */
  setModifiedAt(at: Date): void;
  /**
   * Adds to the metadata of the options, or replaces the values of existing keys: for what is known only later.
   * @throws CodedError `metadata_key_refused`
   */
  addMetadata(values: Readonly<Record<string, string>>): void;
  /**
   * Commits the file: first its bytes are on disk, then its entry, its audit record and its event, in one transaction.
   * The last commit to a path wins as a whole. If it fails the bytes are removed.
   * @throws CodedError `storage_full`, `path_not_found` (the folder was deleted), `already_exists` (a folder has the
   * name, or a file that must not be overwritten), `precondition_failed` (`inPlaceOf` does not hold),
   * `upload_incomplete` (it was discarded in the meantime), `file_not_found` (the file that it follows was removed),
   * `byte_limit_reached`, `file_limit_reached` (the file that it was to replace, and with it that file's room, was
   * removed; or a limit was set or lowered meanwhile)
   */
  commit(options?: CommitOptions): Promise<FileEntry>;
  /** Removes the written bytes. An upload that was resumed and not changed stays as it was. */
  discard(): Promise<void>;
  /** Keeps the written bytes, to be resumed within a day. Only with `resumable`; otherwise the same as `discard`. */
  suspend(): Promise<void>;
}
