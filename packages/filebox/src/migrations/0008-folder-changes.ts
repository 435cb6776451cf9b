import type { Migration } from '@waybill/postgres/migrate';

/**
 * What is known of a folder's listing stays valid while none of its stamps has changed: each transaction that adds,
 * removes or reorders an entry writes a random stamp into a row of the folder's counts, which it usually writes anyway.
 */
export const folderChanges: Migration = {
  name: '0008_folder_changes',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE filebox.folder_counts ADD COLUMN stamp uuid NOT NULL DEFAULT gen_random_uuid();

      CREATE OR REPLACE FUNCTION filebox.add_to_folder(folder bigint, kind text, amount integer)
      RETURNS void LANGUAGE sql AS $$
        INSERT INTO filebox.folder_counts AS c (folder_id, shard, files, folders)
        SELECT folder, pg_backend_pid() % 16, CASE kind WHEN 'file' THEN amount ELSE 0 END,
          CASE kind WHEN 'folder' THEN amount ELSE 0 END
        WHERE folder IS NOT NULL
        ON CONFLICT (folder_id, shard) DO UPDATE
          SET files = c.files + excluded.files, folders = c.folders + excluded.folders, stamp = excluded.stamp;
      $$;

      CREATE FUNCTION filebox.stamp_folder() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        PERFORM filebox.add_to_folder(NEW.parent_id, NEW.kind, 0);
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER stamp_folder
        AFTER UPDATE OF name, size, put_at, first_read_at, expires_at ON filebox.entries
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
        WHEN (OLD.parent_id = NEW.parent_id AND
          (OLD.name, OLD.size, OLD.put_at, OLD.first_read_at, OLD.expires_at) IS DISTINCT FROM
          (NEW.name, NEW.size, NEW.put_at, NEW.first_read_at, NEW.expires_at))
        EXECUTE FUNCTION filebox.stamp_folder();

      CREATE FUNCTION filebox.folder_state(folder bigint) RETURNS text LANGUAGE sql STABLE AS $$
        SELECT md5(string_agg(stamp::text, ',' ORDER BY shard)) FROM filebox.folder_counts WHERE folder_id = folder
      $$;
    `);
  },
};
