import type { Migration } from '@waybill/postgres/migrate';

/**
 * The numbers of files and folders in each folder, so that the total of a folder of millions is read from 16 rows. A
 * trigger counts at the end of each transaction, in a row chosen by the connection: writers of one folder hardly ever
 * conflict.
 */
export const folderCounts: Migration = {
  name: '0003_folder_counts',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE filebox.folder_counts (
        folder_id bigint NOT NULL REFERENCES filebox.entries (id) ON DELETE CASCADE,
        shard smallint NOT NULL,
        files bigint NOT NULL,
        folders bigint NOT NULL,
        PRIMARY KEY (folder_id, shard)
      ) WITH (fillfactor = 50);

      CREATE FUNCTION filebox.add_to_folder(folder bigint, kind text, amount integer) RETURNS void LANGUAGE sql AS $$
        INSERT INTO filebox.folder_counts AS c (folder_id, shard, files, folders)
        SELECT folder, pg_backend_pid() % 16, CASE kind WHEN 'file' THEN amount ELSE 0 END,
          CASE kind WHEN 'folder' THEN amount ELSE 0 END
        WHERE folder IS NOT NULL
        ON CONFLICT (folder_id, shard) DO UPDATE
          SET files = c.files + excluded.files, folders = c.folders + excluded.folders;
      $$;

      CREATE FUNCTION filebox.count_entry() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        CASE TG_OP
          WHEN 'INSERT' THEN
            PERFORM filebox.add_to_folder(NEW.parent_id, NEW.kind, 1);
          WHEN 'DELETE' THEN
            PERFORM filebox.add_to_folder(OLD.parent_id, OLD.kind, -1);
          ELSE
            IF OLD.parent_id < NEW.parent_id THEN
              PERFORM filebox.add_to_folder(OLD.parent_id, OLD.kind, -1);
              PERFORM filebox.add_to_folder(NEW.parent_id, NEW.kind, 1);
            ELSIF OLD.parent_id > NEW.parent_id THEN
              PERFORM filebox.add_to_folder(NEW.parent_id, NEW.kind, 1);
              PERFORM filebox.add_to_folder(OLD.parent_id, OLD.kind, -1);
            END IF;
        END CASE;
        RETURN NULL;
      END $$;
      CREATE CONSTRAINT TRIGGER count_entry AFTER INSERT OR DELETE OR UPDATE OF parent_id ON filebox.entries
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION filebox.count_entry();
    `);
  },
};
