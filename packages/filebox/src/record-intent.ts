import { CodedError } from '@waybill/contracts/coded-error';
import { nameOf, parentOf, rootPath, segmentsOf, type VirtualPath } from '@waybill/contracts/virtual-path';
import type { Database } from '@waybill/postgres/database';
import { openRoot } from './open-root.ts';

/** An upload before its first byte. */
export interface UploadIntent {
  vfsId: string;
  path: VirtualPath;
  userName: string;
  blobId: string;
  storageClass: string;
  /** Names the one who writes. */
  holder: string;
  resumable: boolean;
  /** It is kept so long and held by nobody yet; absent: it is held from now on, and kept for a day without a holder. */
  keptUntil?: Date;
  overwrite: boolean;
}

interface Outcome {
  parent_kind: 'folder' | 'file' | null;
  existing_kind: 'folder' | 'file' | null;
  recorded: boolean;
  given_up: string[] | null;
}

/** How long an upload is held without a sign of life, in seconds. */
export const leaseSeconds = 30;

/**
 * Records an upload in one statement, so that its bytes are known to the sweeper before there are any. The database need
 * not have it on disk for that: should it crash within the second, the commit is refused and the bytes are an orphan. The
 * user's own interrupted uploads to the same path are given up; answers their blobs, which are on the list of removals.
 * @throws CodedError `path_not_found`, `not_a_file`, `already_exists`
 */
export async function recordIntent(db: Database, intent: UploadIntent): Promise<string[]> {
  const { vfsId, path } = intent;
  const names = { path, file: nameOf(path) };
  if (path === rootPath) throw new CodedError('not_a_file', { names });
  let outcome = await tryToRecord(db, intent);
  if (outcome?.parent_kind === null && parentOf(path) === rootPath) {
    await openRoot(db, vfsId);
    outcome = await tryToRecord(db, intent);
  }
  if (outcome?.recorded) return outcome.given_up ?? [];
  if (outcome?.parent_kind !== 'folder') {
    throw new CodedError('path_not_found', { names: { ...names, path: parentOf(path) } });
  }
  throw new CodedError(outcome.existing_kind === 'folder' ? 'not_a_file' : 'already_exists', { names });
}

async function tryToRecord(db: Database, intent: UploadIntent): Promise<Outcome | undefined> {
  const { vfsId, path, userName, blobId, storageClass, holder, resumable, overwrite, keptUntil } = intent;
  const { rows } = await db
    .raw<{ rows: Outcome[] }>(
      `WITH parent AS (
       SELECT id, kind FROM filebox.entries WHERE id = filebox.entry_at(:vfsId, CAST(:parents AS text[]))
     ), existing AS (
       SELECT e.kind FROM filebox.entries e JOIN parent p ON e.parent_id = p.id WHERE e.name = :name
     ), given_up AS (
       DELETE FROM filebox.uploads u USING parent p
       WHERE :resumable AND u.parent_id = p.id AND u.user_name = :userName AND u.name = :name AND u.resumable
         AND u.lease_until < now()
       RETURNING u.blob_id, u.storage_class
     ), removals AS (
       INSERT INTO filebox.blob_removals (blob_id, storage_class) SELECT blob_id, storage_class FROM given_up
     ), recorded AS (
       INSERT INTO filebox.uploads
         (blob_id, storage_class, parent_id, name, user_name, resumable, holder, lease_until, kept_until)
       SELECT CAST(:blobId AS uuid), :storageClass, id, :name, :userName, :resumable, CAST(:holder AS uuid),
         now() + make_interval(secs => :leaseSeconds), CAST(:keptUntil AS timestamptz)
       FROM parent
       WHERE kind = 'folder' AND NOT EXISTS (SELECT FROM existing WHERE kind = 'folder' OR NOT :overwrite)
       RETURNING blob_id
     )
     SELECT set_config('synchronous_commit', 'off', true), (SELECT kind FROM parent) AS parent_kind, (SELECT kind FROM existing) AS existing_kind,
       EXISTS (SELECT FROM recorded) AS recorded, (SELECT array_agg(blob_id) FROM given_up) AS given_up`,
      {
        vfsId,
        parents: segmentsOf(parentOf(path)),
        name: nameOf(path),
        userName,
        blobId,
        storageClass,
        holder,
        resumable,
        overwrite,
        leaseSeconds: keptUntil ? 0 : leaseSeconds,
        keptUntil: keptUntil ?? null,
      },
    )
    .options({ name: 'filebox record intent' });
  return rows[0];
}
