import type { Migration } from '@waybill/postgres/migrate';

/**
 * A transaction that removes whole folders does not maintain their counts, and accounts for all of it at once: counting
 * each file of a big folder would write one row once for each of them, more slowly each time.
 */
export const uncountedTrees: Migration = {
  name: '0009_uncounted_trees',
  up: async (trx) => {
    await trx.raw(`
      CREATE OR REPLACE FUNCTION filebox.add_to_folder(folder bigint, kind text, amount integer)
      RETURNS void LANGUAGE sql AS $$
        INSERT INTO filebox.folder_counts AS c (folder_id, shard, files, folders)
        SELECT folder, pg_backend_pid() % 16, CASE kind WHEN 'file' THEN amount ELSE 0 END,
          CASE kind WHEN 'folder' THEN amount ELSE 0 END
        WHERE folder IS NOT NULL AND current_setting('filebox.counting', true) IS DISTINCT FROM 'off'
        ON CONFLICT (folder_id, shard) DO UPDATE
          SET files = c.files + excluded.files, folders = c.folders + excluded.folders, stamp = excluded.stamp;
      $$;

      CREATE OR REPLACE FUNCTION filebox.add_to_vfs(vfs text, more_bytes bigint, more_files integer, more_folders integer,
        enforced boolean) RETURNS void LANGUAGE plpgsql AS $$
      DECLARE
        used filebox.vfs_limits;
      BEGIN
        IF current_setting('filebox.counting', true) = 'off' THEN RETURN; END IF;
        IF more_bytes = 0 AND more_files = 0 AND more_folders = 0 THEN RETURN; END IF;
        PERFORM filebox.lock_usage(vfs);
        UPDATE filebox.vfs_limits
        SET bytes = bytes + more_bytes, files = files + more_files, folders = folders + more_folders
        WHERE vfs_id = vfs RETURNING * INTO used;
        IF NOT FOUND OR NOT enforced THEN RETURN; END IF;
        IF more_files > 0 AND used.files > used.max_files THEN PERFORM filebox.refuse_beyond('files', used.max_files); END IF;
        IF more_folders > 0 AND used.folders > used.max_folders THEN
          PERFORM filebox.refuse_beyond('folders', used.max_folders);
        END IF;
        IF more_bytes > 0 AND used.bytes > used.max_bytes THEN PERFORM filebox.refuse_beyond('bytes', used.max_bytes); END IF;
      END $$;
    `);
  },
};
