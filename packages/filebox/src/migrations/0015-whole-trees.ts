import type { Migration } from '@waybill/postgres/migrate';

/**
 * The deletion of whole trees accounts for all of it, and puts all blobs on the list of removals, with one statement
 * for thousands of files: the triggers of each file are then not even called. A trigger for folders only removes the
 * counts of a folder; the foreign key before it looked for counts of each file, and locked the folder of the
 * transaction that counted.
 */
export const wholeTrees: Migration = {
  name: '0015_whole_trees',
  up: async (trx) => {
    await trx.raw(`
      DROP TRIGGER account_entry ON filebox.entries;
      CREATE CONSTRAINT TRIGGER account_entry AFTER INSERT OR DELETE OR UPDATE OF parent_id, size ON filebox.entries
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
        WHEN (current_setting('filebox.counting', true) IS DISTINCT FROM 'off')
        EXECUTE FUNCTION filebox.account_entry();

      DROP TRIGGER count_entry ON filebox.entries;
      CREATE CONSTRAINT TRIGGER count_entry AFTER INSERT OR DELETE OR UPDATE OF parent_id ON filebox.entries
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW
        WHEN (current_setting('filebox.counting', true) IS DISTINCT FROM 'off')
        EXECUTE FUNCTION filebox.count_entry();

      DROP TRIGGER release_deleted ON filebox.entries;
      CREATE TRIGGER release_deleted AFTER DELETE ON filebox.entries FOR EACH ROW
        WHEN (OLD.blob_id IS NOT NULL AND current_setting('filebox.releasing', true) IS DISTINCT FROM 'off')
        EXECUTE FUNCTION filebox.release_blob();

      ALTER TABLE filebox.folder_counts DROP CONSTRAINT folder_counts_folder_id_fkey;
      CREATE FUNCTION filebox.forget_counts() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        DELETE FROM filebox.folder_counts WHERE folder_id = OLD.id;
        RETURN NULL;
      END $$;
      CREATE TRIGGER forget_counts AFTER DELETE ON filebox.entries FOR EACH ROW WHEN (OLD.kind = 'folder')
        EXECUTE FUNCTION filebox.forget_counts();
    `);
  },
};
