import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Transaction } from '@waybill/postgres/database';
import type { Download } from './download.ts';
import type { FileEntry } from './entry.ts';
import type { Origin } from './origin.ts';
import type { StoredReceipt } from './stored-receipt.ts';
import type { TransferRight } from './transfer-right.ts';

/** How a file is to be stored. */
export interface UploadOptions {
  origin: Origin;
  /** False: `already_exists` when there is a file of that name, now or at the commit. */
  overwrite: boolean;
  /**
   * Only in place of a file that is there at the commit, holding one of these contents (SHA-256, hexadecimal) or
   * whatever: otherwise `precondition_failed`. Of several such uploads that saw the same file, one commits.
   */
  inPlaceOf?: readonly string[] | 'anything';
  /** `application/octet-stream` by default. */
  mediaType?: string;
  /** User keys, and writable keys of the system class with their prefix. */
  metadata?: Readonly<Record<string, string>>;
  /**
   * False: `already_exists` also when the uploader has an uncommitted upload (`resumable`) at the path, suspended or
   * under way. Of several such uploads that begin at the same time with `resumable`, one does. True by default.
   */
  besideUploads?: boolean;
  /** The uploader sees the file while it grows, and can resume it once it is suspended. For SFTP. */
  resumable?: boolean;
  /**
   * Goes on from what the uploader sees at the path instead of from nothing: from its own suspended upload, else from
   * a copy of the file, else from nothing. With `file` never from an upload.
   */
  resume?: boolean | 'file';
  /**
   * A new version of the file that is at the path, and of no other: it is committed where that file has been renamed to, and
   * not at all once that file has been removed.
   */
  followsFile?: boolean;
  /**
   * Tells by a path that the client will give the file another name when it is whole: it starts nothing before that. See
   * `Filebox.rename`.
   */
  isTemporaryName?(path: VirtualPath): boolean;
  /** What is known of its size: a VFS with limits refuses what does not fit before its first byte. */
  expectedBytes?: { atLeast: number; atMost: number };
  /**
   * Until it commits it takes the room of a new file, even in place of another one: for who may not know whether there
   * is one, as what a limit refuses would tell.
   */
  countsAsNew?: boolean;
  /**
   * When it is withdrawn the upload ends as `suspend` ends it, and nothing is committed: the commit asks for it too. It is
   * disposed of when the upload ends, or cannot begin.
   */
  right?: TransferRight | undefined;
}

/** What belongs to a commit. */
export interface CommitOptions {
  /**
   * Done as part of the one transaction that commits the file, just before it commits: what it throws undoes the
   * commit and is thrown by `commit`. A job proves here that it still holds its turn, and notes what it has done.
   */
  within?(transaction: Transaction, entry: FileEntry): Promise<void>;
  /** Stored by the statement that commits the file, without a further round trip; before `within` is called. */
  receipt?: StoredReceipt;
}

/**
 * A file on its way in. Nobody sees a byte of it before `commit` has answered; afterwards everybody sees all of it, on
 * disk and in the index. Ends by exactly one of commit, suspend and discard; disposing of one that has not ended discards it.
 */
export interface Upload extends AsyncDisposable {
  /** Names the stored bytes. */
  readonly blobId: string;
  /** Bytes so far, those of running writes included. */
  size(): number;
  /**
   * Writes a chunk at an offset, and answers when it is written: await it for back-pressure. Chunks are written in the
   * order of the calls and are not copied: leave them alone until then. After a failed write every later call fails alike.
   * @throws CodedError `storage_full`, `byte_limit_reached`, `operation_unsupported` (a gap of more than 1 GiB)
   */
  write(chunk: Uint8Array, offset: number): Promise<void>;
  /** Cuts the file, or fills it with zeros, to this many bytes. @throws as `write` does */
  truncate(size: number): Promise<void>;
  /**
   * At most `length` bytes of what the file is so far, from an offset, the writes before this call included; fewer only
   * at the end.
   */
  read(offset: number, length: number): Promise<Buffer>;
  /**
   * Makes the file a copy of a whole file, in place of what was written so far. In one class of storage no byte is moved:
   * both have one blob, until something else is done to this one. The download may be closed before the commit.
   * @throws CodedError `content_missing`, and as `write` does
   */
  copyFrom(source: Pick<Download, 'entry' | 'read'>): Promise<void>;
  /** Makes what is written so far survive a crash of the machine. */
  sync(): Promise<void>;
  /** Where a rename has taken it. It replaces a file there: the rename was allowed to. */
  moveTo(path: VirtualPath): void;
  /** The modification time that the file is to have; the commit's when never called. */
  setModifiedAt(at: Date): void;
  /**
   * Adds to the metadata of the options, or replaces the values of keys that are there: for what is known only later.
   * @throws CodedError `metadata_key_refused`
   */
  addMetadata(values: Readonly<Record<string, string>>): void;
  /**
   * Commits the file: its bytes are on disk before its entry, its audit record and its event are, in one transaction.
   * The last commit to a path wins as a whole. When it fails the bytes are removed.
   * @throws CodedError `storage_full`, `path_not_found` (the folder is gone), `already_exists` (a folder has the name,
   * or a file that must not be overwritten), `precondition_failed` (it is not in place of what it was to be),
   * `upload_incomplete` (it was discarded in the meantime), `file_not_found` (the file that it follows was removed), `byte_limit_reached`, `file_limit_reached` (the file that it
   * was to replace, and with it the room of that one, is gone; or a limit was set or lowered meanwhile)
   */
  commit(options?: CommitOptions): Promise<FileEntry>;
  /** Removes what was written. An upload that was resumed and not touched stays as it was. */
  discard(): Promise<void>;
  /** Keeps what was written, to be resumed within a day. With `resumable` only; otherwise the same as `discard`. */
  suspend(): Promise<void>;
}
