import { CodedError } from '@waybill/contracts/errors/coded-error';
import { filesetIdSchema, type FilesetId } from '@waybill/contracts/values/fileset-id';
import type { Protocol } from '@waybill/contracts/values/protocol';
import type { UserName } from '@waybill/contracts/values/user-name';
import { nameOf, parentOf, rootPath, segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Database, Queryable } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import { openRoot } from '../entries/find-entry.ts';
import { indexError } from '../entries/index-error.ts';

/** An upload before its first byte. */
export interface NewUpload {
  vfsId: string;
  path: VirtualPath;
  userName: UserName;
  /** Undefined for a job. */
  protocol: Protocol | undefined;
  blobId: string;
  storageClass: string;
  /** Identifies the holder of the lease. */
  holder: string;
  resumable: boolean;
  /**
   * It is kept until then, and is not held yet. Absent: it is held from now on, and kept for a day without a holder.
   */
  keptUntil?: Date;
  overwrite: boolean;
  /**
   * False: fails if the user has an uncommitted upload to the path. Absent: such an upload is discarded if it is
   * suspended.
   */
  besideUploads?: boolean;
  /** It is a new version of the file that is at its place now, and of no other. */
  followsFile: boolean;
  /** Reserved at once if the VFS has limits: the size known to come. */
  bytesAtLeast: number;
  /** The room of the file that it may replace is not deducted. */
  countsAsNew: boolean;
}

/** An upload after the insert of its row. */
export interface InsertedUpload {
  /** Reserved for the committed file. */
  fileset: FilesetId;
  /** Blobs of the user's own suspended uploads to the same path; they are on the list of removals. */
  discarded: readonly string[];
  /** The VFS has limits. */
  limited: boolean;
  /** The file size that the reservation covers. */
  coveredBytes: number;
}

interface Outcome {
  fileset: string;
  parent_kind: 'folder' | 'file' | null;
  existing_kind: 'folder' | 'file' | null;
  inserted: boolean;
  discarded: string[] | null;
  limited: boolean;
  covered: string | null;
}

/** How long a lease lasts without a renewal, in seconds. */
export const leaseSeconds = 30;

/**
 * Begins an upload in one statement, so that the sweeper knows its blob before the first byte. The commit of the row is
 * asynchronous: if the database crashes within the second, the upload's commit is refused and its bytes are an orphan.
 * The user's own suspended uploads to the same path are discarded, unless `besideUploads` is false. An upload that
 * replaces a file reserves only the size difference.
 * @throws CodedError `path_not_found`, `not_a_file`, `already_exists`, `byte_limit_reached`, `file_limit_reached`
 */
export async function insertUpload(db: Database, upload: NewUpload): Promise<InsertedUpload> {
  if (upload.besideUploads !== false) return insert(db, upload);
  return db.transaction(async (trx) => {
    await lockPlace(trx, upload);
    return insert(trx, upload);
  });
}

/** Of uploads that exclude each other, the later one waits here: its statement then sees the row of the earlier one. */
async function lockPlace(trx: Queryable, { vfsId, path, userName }: NewUpload): Promise<void> {
  await trx.raw("SELECT pg_advisory_xact_lock(hashtextextended('filebox partials ' || CAST(? AS text), 0))", [
    JSON.stringify([vfsId, path, userName]),
  ]);
}

async function insert(db: Queryable, upload: NewUpload): Promise<InsertedUpload> {
  const { vfsId, path } = upload;
  const names = { path, file: nameOf(path) };
  if (path === rootPath) throw new CodedError('not_a_file', { names });
  let outcome = await tryToInsert(db, upload);
  if (outcome?.parent_kind === null && parentOf(path) === rootPath) {
    await openRoot(db, vfsId);
    outcome = await tryToInsert(db, upload);
  }
  if (outcome?.inserted) {
    const { discarded, limited, covered } = outcome;
    const fileset = filesetIdSchema.parse(outcome.fileset);
    return { fileset, discarded: discarded ?? [], limited, coveredBytes: Number(covered) };
  }
  if (outcome?.parent_kind !== 'folder') {
    throw new CodedError('path_not_found', { names: { ...names, path: parentOf(path) } });
  }
  throw new CodedError(outcome.existing_kind === 'folder' ? 'not_a_file' : 'already_exists', { names });
}

/**
 * A new fileset id, reserved for an upload when it begins: messages about the commit can then be part of the statement
 * that commits.
 */
export const nextFilesetSql = `nextval('filebox.entries_id_seq')`;

async function tryToInsert(
  db: Queryable,
  { path, keptUntil, besideUploads = true, protocol, ...columns }: NewUpload,
): Promise<Outcome | undefined> {
  const place = { parents: segmentsOf(parentOf(path)), name: nameOf(path) };
  const times = { leaseSeconds: keptUntil ? 0 : leaseSeconds, keptUntil: keptUntil ?? null };
  try {
    const [outcome] = await runPrepared<Outcome>(db, insertStatement, {
      ...columns,
      protocol: protocol ?? null,
      besideUploads,
      ...place,
      ...times,
    });
    return outcome;
  } catch (error) {
    throw indexError(error);
  }
}

/** Discards uploads before it reserves anything: the reservation may need their room. */
const insertStatement = prepareStatement(
  'filebox insert upload',
  `
  WITH parent AS (
    SELECT id, kind FROM filebox.entries WHERE id = filebox.entry_at(:vfsId, CAST(:parents AS text[]))
  ), existing AS (
    SELECT e.kind, CASE WHEN :countsAsNew THEN 0 ELSE e.size END AS size
    FROM filebox.entries e WHERE e.parent_id = (SELECT id FROM parent) AND e.name = :name
  ), limited AS (
    SELECT FROM filebox.vfs_limits WHERE vfs_id = :vfsId
  ), discarded AS (
    DELETE FROM filebox.uploads u USING parent p
    WHERE :resumable AND :besideUploads AND u.parent_id = p.id AND u.user_name = :userName AND u.name = :name AND u.resumable
      AND u.lease_until < now()
    RETURNING u.blob_id, u.storage_class
  ), removals AS (
    INSERT INTO filebox.blob_removals (blob_id, storage_class) SELECT blob_id, storage_class FROM discarded
  ), inserted AS (
    INSERT INTO filebox.uploads
      (blob_id, storage_class, vfs_id, parent_id, name, user_name, resumable, holder, lease_until, kept_until,
       replaced_bytes, reserved_bytes, reserved_files, follows_file, protocol)
    SELECT CAST(:blobId AS uuid), :storageClass, :vfsId, p.id, :name, :userName, :resumable, CAST(:holder AS uuid),
      now() + make_interval(secs => :leaseSeconds), CAST(:keptUntil AS timestamptz), COALESCE(e.size, 0),
      CASE WHEN EXISTS (SELECT FROM limited)
        THEN GREATEST(0, CAST(:bytesAtLeast AS bigint) - COALESCE(e.size, 0)) ELSE 0 END,
      CASE WHEN e.kind IS NULL OR :countsAsNew THEN 1 ELSE 0 END, :followsFile, CAST(:protocol AS text)
    FROM parent p LEFT JOIN existing e ON true
    WHERE p.kind = 'folder' AND (SELECT count(*) FROM discarded) >= 0
      AND (e.kind IS NULL OR (e.kind = 'file' AND :overwrite))
      AND (:besideUploads OR NOT EXISTS (
        SELECT FROM filebox.uploads u
        WHERE u.parent_id = p.id AND u.user_name = :userName AND u.name = :name AND u.resumable
      ))
    RETURNING replaced_bytes + reserved_bytes AS covered
  )
  SELECT set_config('synchronous_commit', 'off', true), ${nextFilesetSql} AS fileset, (SELECT kind FROM parent) AS parent_kind,
    (SELECT kind FROM existing) AS existing_kind, EXISTS (SELECT FROM inserted) AS inserted,
    (SELECT covered FROM inserted) AS covered, EXISTS (SELECT FROM limited) AS limited,
    (SELECT array_agg(blob_id) FROM discarded) AS discarded`,
);
