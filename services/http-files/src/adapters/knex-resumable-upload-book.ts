import { CodedError } from '@waybill/contracts/errors/coded-error';
import { parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Database, Transaction } from '@waybill/postgres/database';
import type { WriteCondition } from '@waybill/user-files/content/write-condition';
import type { OwningUser } from '../domain/access/caller.ts';
import { concatenationOf, concatenationText } from '../domain/resumable/concatenation.ts';
import type { ResumableUploadBook } from '../domain/resumable/resumable-upload-book.ts';
import type { ResumableUpload } from '../domain/resumable/resumable-upload.ts';

/** A row of the table `http_files.resumable_uploads`, of one user. */
interface ResumableUploadRow {
  id: string;
  path: string;
  vfs_id: string;
  blob_id: string;
  length: string | null;
  concatenation: string | null;
  media_type: string;
  metadata: Record<string, string>;
  condition: WriteCondition | null;
  description: string;
  expires_at: Date;
  fileset: string | null;
  idempotency_key: string | null;
}

/** Resumable uploads in PostgreSQL. Each new one deletes some expired ones. */
export function createKnexResumableUploadBook(db: Database): ResumableUploadBook {
  return {
    enter: (upload, unfinishedAtMost) =>
      db.transaction(async (trx) => {
        // A concurrent begin waits here, and then counts the upload that we have inserted.
        await trx.raw("SELECT pg_advisory_xact_lock(hashtextextended('http_files uploads ' || CAST(? AS text), 0))", [
          upload.user.id,
        ]);
        await assertKeyIsFree(trx, upload);
        if (await insertUpload(trx, upload, unfinishedAtMost)) return;
        throw await tooManyUnfinished(trx, upload.user, unfinishedAtMost);
      }),
    find: async (user, id) => {
      const { rows } = await db.raw<{ rows: ResumableUploadRow[] }>(
        'SELECT * FROM http_files.resumable_uploads WHERE id = ? AND user_id = ? AND expires_at > now()',
        [id, user.id],
      );
      return rows[0] && uploadOf(rows[0], user);
    },
    findKeyed: async (user, key) => {
      const { rows } = await db.raw<{ rows: ResumableUploadRow[] }>(
        `SELECT * FROM http_files.resumable_uploads
         WHERE user_id = ? AND idempotency_key = ? AND expires_at > now()`,
        [user.id, key],
      );
      return rows[0] && uploadOf(rows[0], user);
    },
    findJoined: async (user, concatenation) => {
      const { rows } = await db.raw<{ rows: ResumableUploadRow[] }>(
        `SELECT * FROM http_files.resumable_uploads
         WHERE user_id = ? AND concatenation = ? AND concatenation <> 'partial' AND expires_at > now()
         ORDER BY fileset DESC NULLS LAST, expires_at DESC LIMIT 1`,
        [user.id, concatenationText(concatenation)],
      );
      return rows[0] && uploadOf(rows[0], user);
    },
    setLength: async (id, length) => {
      await db.raw('UPDATE http_files.resumable_uploads SET length = ? WHERE id = ?', [length, id]);
    },
    extend: async (id, expiresAt) => {
      await db.raw('UPDATE http_files.resumable_uploads SET expires_at = ? WHERE id = ?', [expiresAt, id]);
    },
    remove: async (id) => {
      await db.raw('DELETE FROM http_files.resumable_uploads WHERE id = ? AND fileset IS NULL', [id]);
    },
  };
}

/** The next upload can begin when one that is not continued expires. */
async function tooManyUnfinished(trx: Transaction, user: OwningUser, unfinishedAtMost: number): Promise<CodedError> {
  const { rows } = await trx.raw<{ rows: { seconds: string | null }[] }>(
    `SELECT ceil(EXTRACT(epoch FROM min(expires_at) - now())) AS seconds FROM http_files.resumable_uploads
     WHERE user_id = ? AND fileset IS NULL AND expires_at > now()`,
    [user.id],
  );
  const seconds = Math.max(1, Number(rows[0]?.seconds ?? 1));
  const detail = `At most ${unfinishedAtMost} resumable uploads of a user may be unfinished: finish or end one, or try again in ${seconds} seconds, when one expires`;
  return new CodedError('unfinished_upload_limit_reached', { detail, names: { retryAfterSeconds: String(seconds) } });
}

/** The key of an expired upload is free. */
async function assertKeyIsFree(trx: Transaction, { user, idempotencyKey }: ResumableUpload): Promise<void> {
  if (idempotencyKey === undefined) return;
  const { rows } = await trx.raw<{ rows: unknown[] }>(
    `WITH expired AS (
       DELETE FROM http_files.resumable_uploads
       WHERE user_id = :userId AND idempotency_key = :idempotencyKey AND expires_at <= now()
     )
     SELECT FROM http_files.resumable_uploads
     WHERE user_id = :userId AND idempotency_key = :idempotencyKey AND expires_at > now()`,
    { userId: user.id, idempotencyKey },
  );
  if (rows.length > 0) throw new CodedError('idempotency_key_reused');
}

/** False if there are too many. */
async function insertUpload(trx: Transaction, upload: ResumableUpload, unfinishedAtMost: number): Promise<boolean> {
  const { rowCount } = await trx.raw<{ rowCount: number }>(
    `WITH forgotten AS (
       DELETE FROM http_files.resumable_uploads WHERE id IN (
         SELECT id FROM http_files.resumable_uploads WHERE expires_at <= now() LIMIT 10 FOR UPDATE SKIP LOCKED
       )
     )
     INSERT INTO http_files.resumable_uploads
       (id, user_id, path, vfs_id, blob_id, length, media_type, metadata, condition, description, expires_at,
        idempotency_key, concatenation)
     SELECT :id, :userId, :path, :vfsId, CAST(:blobId AS uuid), CAST(:length AS bigint), :mediaType,
       CAST(:metadata AS jsonb), CAST(:condition AS jsonb), :description, CAST(:expiresAt AS timestamptz),
       CAST(:idempotencyKey AS text), CAST(:concatenation AS text)
     WHERE (
       SELECT count(*) FROM http_files.resumable_uploads
       WHERE user_id = :userId AND fileset IS NULL AND expires_at > now()
     ) < :unfinishedAtMost`,
    {
      ...upload,
      userId: upload.user.id,
      unfinishedAtMost,
      fileset: null,
      length: upload.length ?? null,
      concatenation: upload.concatenation === undefined ? null : concatenationText(upload.concatenation),
      idempotencyKey: upload.idempotencyKey ?? null,
      metadata: JSON.stringify(upload.metadata),
      condition: upload.condition === undefined ? null : JSON.stringify(upload.condition),
    },
  );
  return rowCount === 1;
}

function uploadOf(row: ResumableUploadRow, { id }: OwningUser): ResumableUpload {
  return {
    id: row.id,
    user: { id },
    path: parseVirtualPath(row.path),
    vfsId: row.vfs_id,
    blobId: row.blob_id,
    length: row.length === null ? undefined : Number(row.length),
    concatenation: row.concatenation === null ? undefined : concatenationOf(row.concatenation),
    mediaType: row.media_type,
    metadata: row.metadata,
    condition: row.condition ?? undefined,
    description: row.description,
    expiresAt: row.expires_at,
    fileset: row.fileset ?? undefined,
    idempotencyKey: row.idempotency_key ?? undefined,
  };
}
