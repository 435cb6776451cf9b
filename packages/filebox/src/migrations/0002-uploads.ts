import type { Migration } from '@waybill/postgres/migrate';

/**
 * Blobs that no entry uses: those being uploaded (inserted before their first byte, held by one process at a time for
 * as long as it renews its lease) and those to be removed.
 */
export const uploads: Migration = {
  name: '0002_uploads',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE filebox.uploads (
        blob_id uuid PRIMARY KEY,
        storage_class text NOT NULL,
        parent_id bigint NOT NULL,
        name text COLLATE "C" NOT NULL,
        user_name text NOT NULL,
        resumable boolean NOT NULL,
        holder uuid NOT NULL,
        lease_until timestamptz NOT NULL,
        started_at timestamptz NOT NULL DEFAULT now()
      ) WITH (fillfactor = 70);
      CREATE INDEX uploads_resumable ON filebox.uploads (parent_id, user_name, name) WHERE resumable;

      CREATE TABLE filebox.blob_removals (
        blob_id uuid PRIMARY KEY,
        storage_class text NOT NULL,
        recorded_at timestamptz NOT NULL DEFAULT now()
      );
    `);
  },
};
