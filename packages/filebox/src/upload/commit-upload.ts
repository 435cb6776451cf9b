import { CodedError } from '@waybill/contracts/errors/coded-error';
import { nameOf, parentOf, parseVirtualPath, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { appendMessages } from '@waybill/outbox/append-messages';
import type { OutboxMessage } from '@waybill/outbox/message-rows';
import type { Database, Queryable } from '@waybill/postgres/database';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { shareBlob } from '../blobs/share-blob.ts';
import type { CommitObserver } from '../blobs/upload-step.ts';
import { fileOf } from '../entries/entry-row.ts';
import { isParentGone, isRefusal } from '../entries/index-error.ts';
import type { TemporaryNames } from '../entries/temporary-names.ts';
import { repeatWhenHindered, transact } from '../entries/transact.ts';
import { auditMessage } from '../messages/audit-message.ts';
import { dataflowOfUpload } from '../messages/dataflow-of-upload.ts';
import { fileEventMessage } from '../messages/file-event-message.ts';
import type { CompanionWrite } from '../model/companion-write.ts';
import { discardedUploadError } from '../model/discarded-upload-error.ts';
import type { FileEntry } from '../model/entry.ts';
import type { Origin } from '../model/origin.ts';
import type { StoredReceipt } from '../model/stored-receipt.ts';
import type { TransferRight } from '../model/transfer-right.ts';
import type { CommitOptions } from '../model/upload.ts';
import { commitBindings, commitStatement, type CommitRow } from './commit-upload-sql.ts';
import type { SealedUpload } from './sealed-upload.ts';

/** What a commit needs. */
export interface CommitParts {
  db: Database;
  managerName: string;
  /** Where receipts are stored, with its schema; undefined if uploads have no receipts. */
  receiptTable: string | undefined;
  observe: CommitObserver;
  /** A file with a temporary name is announced when it is renamed. */
  isTemporaryName: TemporaryNames;
}

/** A sealed blob and its sender. */
export interface UploadToCommit extends Omit<SealedUpload, 'dfic'> {
  origin: Origin;
  /** Checked by the statement that commits. */
  right: TransferRight | undefined;
}

/** The result of a commit. */
export interface CommittedUpload {
  file: FileEntry;
  /** The blob of the replaced file; it is on the list of removals. */
  replacedBlobId: string | undefined;
}

/**
 * The one transaction of an upload: the file is at its path, audited and announced, or nothing has changed. Without
 * `within` and a shared blob it is a single statement. Undefined if the upload shares the blob of a file that was
 * deleted.
 * @throws CodedError as `Upload.commit` does, and the reason of a withdrawn right
 */
export async function commitUpload(
  { db, managerName, receiptTable, observe, isTemporaryName }: CommitParts,
  { origin, right, ...sealed }: UploadToCommit,
  { within, receipt, companion }: CommitOptions = {},
): Promise<CommittedUpload | undefined> {
  const correlationId = sealed.metadata.systemMetadata['CORRELATION_ID'];
  const upload = { ...sealed, dfic: dataflowOfUpload(origin, { ...sealed, correlationId }) };
  const content = { size: sealed.size, sha256: sealed.sha256.toString('hex') };
  const messagesOf = (file: ComingFile) => [
    auditMessage({ fact: 'fileUploaded', entry: file, content, origin, managerName }),
    ...(isTemporaryName(file.path) ? [] : [fileEventMessage('stored', file, origin)]),
  ];
  const added = { receipt: receipt && receiptIn(receiptTable, receipt), right, companion };
  const writing = { upload, isTemporaryName, messagesOf, ...added };
  const isShared = sealed.contentBlobId !== sealed.blobId;
  if (!within && !isShared) return repeatWhenHindered(() => writeEntry(db, writing));
  return transact(db, async (trx) => {
    if (isShared && !(await shareBlob(trx, sealed.contentBlobId))) return undefined;
    const committed = await writeEntry(trx, writing);
    await observe('entryWritten');
    await within?.(trx, committed.file);
    return committed;
  });
}

function receiptIn(table: string | undefined, receipt: StoredReceipt): EntryWriting['receipt'] {
  if (table === undefined) throw new Error('this filebox has no table for receipts');
  return { ...receipt, table };
}

/** What is known of a file before it is committed. */
type ComingFile = Pick<FileEntry, 'kind' | 'id' | 'fileset' | 'vfsId' | 'path' | 'size' | 'dfic'>;

interface EntryWriting {
  upload: SealedUpload;
  isTemporaryName: TemporaryNames;
  /** The messages about the file; its path is the present place of the upload. */
  messagesOf(file: ComingFile): readonly OutboxMessage[];
  /** With the table to store it in. */
  receipt: (StoredReceipt & { readonly table: string }) | undefined;
  right: TransferRight | undefined;
  companion: CompanionWrite | undefined;
}

/**
 * Turns an upload into a file and appends its messages, in one statement: all of it, or nothing. An existing file is
 * replaced in its row: of two uploads, the second waits for the first and replaces its file as a whole. The row of the
 * upload decides the place: the folder where the upload began, even if it was moved since, and the name that a rename
 * gave it since.
 */
async function writeEntry(db: Queryable, writing: EntryWriting): Promise<CommittedUpload> {
  const { upload, messagesOf, right } = writing;
  const { vfsId, fileset, size, dfic } = upload;
  for (let { path } = upload; ;) {
    const coming: ComingFile = { kind: 'file', id: fileset, fileset, vfsId, path, size, dfic };
    const row = await tryToWriteEntry(db, { ...writing, path, messages: messagesOf(coming) });
    if (row && row.id !== null) return { file: fileOf(row, path), replacedBlobId: row.replaced_blob_id ?? undefined };
    if (row?.removed === true) throw removedError(path);
    if (!row || row.folder_path === null || row.current_name === null) {
      const names = { path, file: nameOf(path) };
      throw discardedUploadError({ names });
    }
    // The place is unchanged: what the right depends on may have changed.
    if (row.folder_path === parentOf(path) && row.current_name === nameOf(path)) await right?.renew(db);
    path = parseVirtualPath(`${row.folder_path === '/' ? '' : row.folder_path}/${row.current_name}`);
  }
}

function removedError(path: VirtualPath): CodedError {
  const names = { path, file: nameOf(path) };
  return new CodedError('file_not_found', { detail: 'The file was removed while it was open for writing', names });
}

interface EntryWritingTry extends Omit<EntryWriting, 'messagesOf'> {
  path: VirtualPath;
  messages: readonly OutboxMessage[];
}

/**
 * Nothing is written, and `id` is null, if the upload is not at the path, or the condition of the right does not hold:
 * then `folder_path` and `current_name` are its place.
 */
async function tryToWriteEntry(
  db: Queryable,
  { upload, isTemporaryName, path, messages, receipt, right, companion }: EntryWritingTry,
): Promise<CommitRow | undefined> {
  const names = { path, file: nameOf(path) };
  try {
    const place = { folderPath: parentOf(path), name: nameOf(path), unannounced: isTemporaryName(path) };
    const receiptBindings = receipt && {
      receiptUserId: receipt.userId,
      receiptUser: receipt.userName,
      receiptPath: receipt.path,
    };
    const added = { ...receiptBindings, ...right?.bindings(), ...companion?.bindings };
    const bindings = { ...added, ...commitBindings(upload), ...place };
    const statement = commitStatement({ receiptTable: receipt?.table, condition: right?.condition, companion });
    return await appendMessages(db, messages, async (given) => {
      const [row] = await runPrepared<CommitRow>(db, statement, { ...bindings, ...given });
      return { result: row, appended: row?.told ?? [] };
    });
  } catch (error) {
    // An expected outcome: the folder was deleted with its content, and with this upload.
    if (isParentGone(error)) throw new CodedError('path_not_found', { names: { ...names, path: parentOf(path) } });
    if (!isRefusal(error)) throw error;
    if (upload.followsFile) throw removedError(path);
    throw new CodedError(upload.inPlaceOf === undefined ? 'already_exists' : 'precondition_failed', { names });
  }
}
