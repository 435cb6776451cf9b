import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { DataflowContext } from '@waybill/contracts/values/dataflow-context';
import type { FilesetId } from '@waybill/contracts/values/fileset-id';
import { nameOf, parentOf, parseVirtualPath, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { announceAfterCommit } from '@waybill/outbox/committed-topics';
import {
  appendMessagesSql,
  messageBindings,
  type AppendedMessage,
  type OutboxMessage,
} from '@waybill/outbox/message-rows';
import type { Queryable } from '@waybill/postgres/database';
import { prepareStatement, type PreparedStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { entryColumns, fileOf, type FileRow } from '../entries/entry-row.ts';
import { isParentGone, isRefusal } from '../entries/index-error.ts';
import type { ParsedMetadata } from '../entries/system-metadata.ts';
import type { FileEntry } from '../model/entry.ts';
import type { StoredReceipt } from '../model/stored-receipt.ts';
import type { TransferRight } from '../model/transfer-right.ts';
import type { UploadOptions } from '../model/upload.ts';

/** A sealed blob that is to become a file. */
export interface SealedUpload {
  vfsId: string;
  path: VirtualPath;
  /** Names the intent, and the bytes that were written. */
  blobId: string;
  /** The blob that the file gets: that one, or one which a file has already and which is held. */
  contentBlobId: string;
  /** The id that was reserved for the file. */
  fileset: FilesetId;
  holder: string;
  overwrite: boolean;
  inPlaceOf: UploadOptions['inPlaceOf'];
  /** It is a new version of the file at its place, and of no other. */
  followsFile: boolean;
  size: number;
  sha256: Buffer;
  mediaType: string;
  metadata: ParsedMetadata;
  dfic: DataflowContext;
  modifiedAt: Date | undefined;
  /** A file of a temporary name is announced when it is renamed. */
  isTemporaryName(path: VirtualPath): boolean;
}

/** What a swap left behind. */
export interface SwappedEntry {
  file: FileEntry;
  /** The blob of the file that stood there before; it is on the list of removals. */
  replacedBlobId: string | undefined;
}

/** What a swap does at once with the file. */
export interface Swap {
  upload: SealedUpload;
  /** What is told of the file; its path is where the upload is by now. */
  tellOf(file: ComingFile): readonly OutboxMessage[];
  /** With the table that it is stored in. */
  receipt: (StoredReceipt & { readonly table: string }) | undefined;
  right: TransferRight | undefined;
}

/** What is known of a file before it is there. */
export type ComingFile = Pick<FileEntry, 'kind' | 'id' | 'fileset' | 'vfsId' | 'path' | 'size' | 'dfic'>;

type Outcome = {
  folder_path: string | null;
  current_name: string | null;
  removed: boolean | null;
  told: AppendedMessage[] | null;
} & ({ id: null } | (FileRow & { replaced_blob_id: string | null }));

/**
 * Turns an upload into the file of its name and says so, in one statement: all of it is done, or nothing. A file that
 * stands there is replaced in its row: of two uploads the second waits for the first and replaces it as a whole. The upload is
 * delivered where its row says that it is: in the folder that it began in, wherever that was moved since, and by the name
 * that it has since a rename.
 * @throws CodedError `upload_incomplete`, `already_exists`, `precondition_failed`, `file_not_found` (the file that it follows was
 * removed), `path_not_found` (the folder was deleted), and what the right is withdrawn for
 */
export async function swapEntry(db: Queryable, { upload, tellOf, receipt, right }: Swap): Promise<SwappedEntry> {
  const { vfsId, fileset, size, dfic } = upload;
  for (let { path } = upload; ;) {
    const coming: ComingFile = { kind: 'file', id: fileset, fileset, vfsId, path, size, dfic };
    const row = await tryToSwap(db, { upload, path, messages: tellOf(coming), receipt, right });
    if (row && row.id !== null) return { file: fileOf(row, path), replacedBlobId: row.replaced_blob_id ?? undefined };
    if (row?.removed === true) throw removedError(path);
    if (!row || row.folder_path === null || row.current_name === null) {
      const names = { path, file: nameOf(path) };
      throw new CodedError('upload_incomplete', { detail: 'The upload was given up meanwhile', names });
    }
    // It is where it was: what the right follows from may have changed.
    if (row.folder_path === parentOf(path) && row.current_name === nameOf(path)) await right?.renew(db);
    path = parseVirtualPath(`${row.folder_path === '/' ? '' : row.folder_path}/${row.current_name}`);
  }
}

function removedError(path: VirtualPath): CodedError {
  const names = { path, file: nameOf(path) };
  return new CodedError('file_not_found', { detail: 'The file was removed while it was open for writing', names });
}

interface SwapTry extends Pick<Swap, 'upload' | 'receipt' | 'right'> {
  path: VirtualPath;
  messages: readonly OutboxMessage[];
}

/**
 * Nothing is done, and `id` is null, when the upload is not at the path, or the condition of the right is not met: then its place
 * is `folder_path` and `current_name`.
 */
async function tryToSwap(
  db: Queryable,
  { upload, path, messages, receipt, right }: SwapTry,
): Promise<Outcome | undefined> {
  const names = { path, file: nameOf(path) };
  try {
    const place = { folderPath: parentOf(path), name: nameOf(path), unannounced: upload.isTemporaryName(path) };
    const receiptBindings = receipt && { receiptUser: receipt.userName, receiptPath: receipt.path };
    const added = { ...receiptBindings, ...right?.bindings() };
    const bindings = { ...added, ...bindingsOf(upload), ...place, ...messageBindings(messages) };
    const [row] = await runPrepared<Outcome>(db, statementWith(receipt?.table, right?.condition), bindings);
    announceAfterCommit(db, row?.told ?? []);
    return row;
  } catch (error) {
    // Nothing that anybody has to look into: the folder was deleted with all that was in it, and this was to be.
    if (isParentGone(error)) throw new CodedError('path_not_found', { names: { ...names, path: parentOf(path) } });
    if (!isRefusal(error)) throw error;
    if (upload.followsFile) throw removedError(path);
    throw new CodedError(upload.inPlaceOf === undefined ? 'already_exists' : 'precondition_failed', { names });
  }
}

function bindingsOf({ metadata: { metadata, systemMetadata, expiresAt }, ...upload }: SealedUpload) {
  return {
    vfsId: upload.vfsId,
    blobId: upload.blobId,
    contentBlobId: upload.contentBlobId,
    fileset: upload.fileset,
    holder: upload.holder,
    overwrite: upload.overwrite,
    inPlace: upload.followsFile || upload.inPlaceOf !== undefined,
    replaceable: upload.inPlaceOf === 'anything' ? null : (upload.inPlaceOf ?? null),
    size: upload.size,
    sha256: upload.sha256,
    mediaType: upload.mediaType,
    metadata: JSON.stringify(metadata),
    systemMetadata: JSON.stringify(systemMetadata),
    expiresAt: expiresAt ?? null,
    dfic: JSON.stringify(upload.dfic),
    modifiedAt: upload.modifiedAt ?? null,
  };
}

const statements = new Map<string, PreparedStatement>();

function statementWith(receiptTable?: string, condition?: TransferRight['condition']): PreparedStatement {
  const name = ['filebox swap entry', receiptTable, condition?.name].filter((part) => part !== undefined).join(', ');
  const known = statements.get(name);
  if (known) return known;
  const statement = prepareStatement(name, swapSql(receiptTable, condition?.sql));
  statements.set(name, statement);
  return statement;
}

const swapSql = (receiptTable: string | undefined, condition = 'true'): string => `
  WITH intent AS (
    DELETE FROM filebox.uploads
    WHERE blob_id = CAST(:blobId AS uuid) AND holder = CAST(:holder AS uuid) AND NOT removed
      AND name = CAST(:name AS text) COLLATE "C" AND filebox.path_of(parent_id) = :folderPath
      AND ${condition}
    RETURNING parent_id, name, user_name, storage_class
  ), stored AS (
    INSERT INTO filebox.entries AS e (id, vfs_id, parent_id, kind, name, owner, modified_at, storage_class, blob_id,
      size, sha256, media_type, put_at, expires_at, metadata, system_metadata, dfic, unannounced)
    SELECT CAST(:fileset AS bigint), :vfsId, parent_id, 'file', name, user_name,
      COALESCE(CAST(:modifiedAt AS timestamptz), now()), storage_class, CAST(:contentBlobId AS uuid),
      CAST(:size AS bigint), CAST(:sha256 AS bytea), :mediaType, now(), CAST(:expiresAt AS timestamptz),
      CAST(:metadata AS jsonb), CAST(:systemMetadata AS jsonb), CAST(:dfic AS jsonb), CAST(:unannounced AS boolean)
    FROM intent
    ON CONFLICT (parent_id, name) DO UPDATE SET
      id = excluded.id, owner = excluded.owner, created_at = excluded.created_at, modified_at = excluded.modified_at,
      storage_class = excluded.storage_class, blob_id = excluded.blob_id, size = excluded.size,
      sha256 = excluded.sha256, media_type = excluded.media_type, put_at = excluded.put_at, first_read_at = NULL,
      last_read_at = NULL, expires_at = excluded.expires_at, metadata = excluded.metadata,
      system_metadata = excluded.system_metadata, dfic = excluded.dfic,
      unannounced = excluded.unannounced,
      replaced_blob_id = e.blob_id
    WHERE e.kind = 'file' AND :overwrite
      AND (CAST(:replaceable AS text[]) IS NULL OR encode(e.sha256, 'hex') = ANY (CAST(:replaceable AS text[])))
    RETURNING ${entryColumns}, replaced_blob_id
  ), unused AS (
    INSERT INTO filebox.blob_removals (blob_id, storage_class)
    SELECT CAST(:blobId AS uuid), storage_class FROM stored
    WHERE CAST(:blobId AS uuid) <> CAST(:contentBlobId AS uuid)
  ), told AS (
    ${appendMessagesSql} WHERE EXISTS (SELECT FROM stored) RETURNING topic
  )${receiptTable === undefined ? '' : `, receipt AS (${receiptSql(receiptTable)})`}
  SELECT place.folder_path, place.current_name, place.removed,
    CASE WHEN EXISTS (SELECT FROM intent) AND (stored.id IS NULL OR (:inPlace AND replaced_blob_id IS NULL))
      THEN filebox.refuse('another stands there, or none') END,
    (SELECT json_agg(told) FROM told) AS told, stored.*
  FROM (SELECT 1) AS one LEFT JOIN stored ON true LEFT JOIN LATERAL (
    SELECT filebox.path_of(parent_id) AS folder_path, name AS current_name, removed FROM filebox.uploads
    WHERE stored.id IS NULL AND blob_id = CAST(:blobId AS uuid) AND holder = CAST(:holder AS uuid)
  ) AS place ON true`;

/** `stored` is the row of the file. The time is the one that the sender is told: milliseconds, the rest cut off. */
const receiptSql = (table: string): string => `
    INSERT INTO ${table} (fileset, user_name, path, size, sha256, stored_at, dfiid)
    SELECT id, :receiptUser, :receiptPath, size, sha256, date_trunc('milliseconds', put_at), dfic ->> 'dfiid'
    FROM stored`;
