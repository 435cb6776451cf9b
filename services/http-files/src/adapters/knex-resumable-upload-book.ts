import { parseVirtualPath } from '@waybill/contracts/virtual-path';
import type { Database } from '@waybill/postgres/database';
import type { ResumableUploadBook } from '../domain/resumable-upload-book.ts';
import type { ResumableUpload } from '../domain/resumable-upload.ts';
import type { WriteCondition } from '../domain/write-condition.ts';

/** A row of the table `http_files.resumable_uploads`. */
interface ResumableUploadRow {
  id: string;
  user_name: string;
  path: string;
  vfs_id: string;
  blob_id: string;
  length: string;
  media_type: string;
  metadata: Record<string, string>;
  condition: WriteCondition | null;
  description: string;
  expires_at: Date;
  fileset: string | null;
}

/** Resumable uploads in PostgreSQL. Each new one takes some forgotten ones away. */
export function createKnexResumableUploadBook(db: Database): ResumableUploadBook {
  return {
    enter: async (upload) => {
      await db.raw(
        `WITH forgotten AS (
           DELETE FROM http_files.resumable_uploads WHERE id IN (
             SELECT id FROM http_files.resumable_uploads WHERE expires_at <= now() LIMIT 10 FOR UPDATE SKIP LOCKED
           )
         )
         INSERT INTO http_files.resumable_uploads
           (id, user_name, path, vfs_id, blob_id, length, media_type, metadata, condition, description, expires_at)
         VALUES (:id, :userName, :path, :vfsId, :blobId, :length, :mediaType, CAST(:metadata AS jsonb),
           CAST(:condition AS jsonb), :description, :expiresAt)`,
        {
          ...upload,
          fileset: null,
          metadata: JSON.stringify(upload.metadata),
          condition: upload.condition === undefined ? null : JSON.stringify(upload.condition),
        },
      );
    },
    find: async (userName, id) => {
      const { rows } = await db.raw<{ rows: ResumableUploadRow[] }>(
        'SELECT * FROM http_files.resumable_uploads WHERE id = ? AND user_name = ? AND expires_at > now()',
        [id, userName],
      );
      return rows[0] && uploadOf(rows[0]);
    },
    extend: async (id, expiresAt) => {
      await db.raw('UPDATE http_files.resumable_uploads SET expires_at = ? WHERE id = ?', [expiresAt, id]);
    },
    markDelivered: async (transaction, id, fileset) => {
      await transaction.raw('UPDATE http_files.resumable_uploads SET fileset = ? WHERE id = ?', [fileset, id]);
    },
    remove: async (id) => {
      await db.raw('DELETE FROM http_files.resumable_uploads WHERE id = ?', [id]);
    },
  };
}

function uploadOf(row: ResumableUploadRow): ResumableUpload {
  return {
    id: row.id,
    userName: row.user_name,
    path: parseVirtualPath(row.path),
    vfsId: row.vfs_id,
    blobId: row.blob_id,
    length: Number(row.length),
    mediaType: row.media_type,
    metadata: row.metadata,
    condition: row.condition ?? undefined,
    description: row.description,
    expiresAt: row.expires_at,
    fileset: row.fileset ?? undefined,
  };
}
