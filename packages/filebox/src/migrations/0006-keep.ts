import type { Migration } from '@waybill/postgres/migrate';

/**
 * Several files may share one blob: every change that takes a blob out of the index puts it on the list of removals,
 * and it is removed when no file uses it. Also the indexes for files by the age at which they expire, and the findings
 * of verifications.
 */
export const keep: Migration = {
  name: '0006_keep',
  up: async (trx) => {
    await trx.raw(sharedBlobs);
    await trx.raw(ages);
    await trx.raw(verifications);
  },
};

const sharedBlobs = `
  DROP INDEX filebox.entries_blob;
  CREATE INDEX entries_blob ON filebox.entries (blob_id, id) WHERE blob_id IS NOT NULL;

  CREATE FUNCTION filebox.release_blob() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    INSERT INTO filebox.blob_removals (blob_id, storage_class) VALUES (OLD.blob_id, OLD.storage_class)
      ON CONFLICT (blob_id) DO UPDATE SET recorded_at = excluded.recorded_at;
    RETURN NULL;
  END $$;
  CREATE TRIGGER release_deleted AFTER DELETE ON filebox.entries
    FOR EACH ROW WHEN (OLD.blob_id IS NOT NULL) EXECUTE FUNCTION filebox.release_blob();
  CREATE TRIGGER release_replaced AFTER UPDATE OF blob_id ON filebox.entries
    FOR EACH ROW WHEN (OLD.blob_id IS NOT NULL AND OLD.blob_id IS DISTINCT FROM NEW.blob_id)
    EXECUTE FUNCTION filebox.release_blob();
`;

const ages = `
  CREATE INDEX entries_age ON filebox.entries (vfs_id, put_at) WHERE kind = 'file';
  CREATE INDEX entries_unused ON filebox.entries (vfs_id, last_read_at) WHERE last_read_at IS NOT NULL;
  CREATE INDEX entries_due ON filebox.entries (expires_at) WHERE expires_at IS NOT NULL;
`;

const verifications = `
  CREATE TABLE filebox.damaged_blobs (
    blob_id uuid PRIMARY KEY,
    storage_class text NOT NULL,
    problem text NOT NULL,
    found_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE filebox.verifications (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    vfs_id text,
    finished_at timestamptz NOT NULL DEFAULT now(),
    blobs bigint NOT NULL,
    bytes bigint NOT NULL,
    damaged bigint NOT NULL
  );
`;
