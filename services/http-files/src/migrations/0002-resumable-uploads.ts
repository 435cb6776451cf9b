import type { Migration } from '@waybill/postgres/migrate';

/** The data of HTTP on uploads that are resumed by their id (tus): their users, and how to commit them. */
export const resumableUploads: Migration = {
  name: '0002_resumable_uploads',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE http_files.resumable_uploads (
        id text PRIMARY KEY,
        user_name text NOT NULL,
        path text NOT NULL,
        vfs_id text NOT NULL,
        blob_id uuid NOT NULL,
        length bigint NOT NULL,
        media_type text NOT NULL,
        metadata jsonb NOT NULL,
        condition jsonb,
        description text NOT NULL,
        expires_at timestamptz NOT NULL,
        fileset bigint REFERENCES http_files.receipts (fileset)
      );
      CREATE INDEX resumable_uploads_expiry ON http_files.resumable_uploads (expires_at);
    `);
  },
};
