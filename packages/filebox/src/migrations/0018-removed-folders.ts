import type { Migration } from '@waybill/postgres/migrate';

/** The removal of an empty folder was five statements and a transaction around them: now it is one. */
export const removedFolders: Migration = {
  name: '0018_removed_folders',
  up: async (trx) => {
    await trx.raw(giveUpUploads);
    await trx.raw(removeFolder);
  },
};

/**
 * Discards the uploads to deleted folders, with their reservations. A held upload is left to its holder, and to the
 * sweeper.
 */
const giveUpUploads = `
  CREATE FUNCTION filebox.give_up_uploads_to(folders bigint[]) RETURNS uuid[] LANGUAGE plpgsql AS $$
  DECLARE
    gone_ids uuid[];
  BEGIN
    WITH unheld AS (
      SELECT u.blob_id FROM filebox.uploads u WHERE u.parent_id = ANY (folders) AND u.lease_until < now()
      FOR UPDATE SKIP LOCKED
    ), gone AS (
      DELETE FROM filebox.uploads u USING unheld WHERE u.blob_id = unheld.blob_id RETURNING u.blob_id, u.storage_class
    ), removals AS (
      INSERT INTO filebox.blob_removals (blob_id, storage_class) SELECT blob_id, storage_class FROM gone
    )
    SELECT COALESCE(array_agg(blob_id), '{}') INTO gone_ids FROM gone;
    RETURN gone_ids;
  END $$;`;

/**
 * Deletes an empty folder. Once it is locked nothing can be put into it; the statement that deletes it sees what was
 * put there just before. \`outcome\` says what was found instead: \`missing\`, \`upload\` (an upload of the owner),
 * \`file\`, \`full\`.
 */
const removeFolder = `
  CREATE FUNCTION filebox.remove_folder(vfs text, parents text[], folder_name text, owner text, shows_partials boolean)
  RETURNS TABLE (outcome text, removed_id bigint, given_up uuid[]) LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan AS $$
  DECLARE
    parent bigint := filebox.entry_at(vfs, parents);
    found_kind text;
  BEGIN
    given_up := '{}';
    SELECT e.id, e.kind INTO removed_id, found_kind FROM filebox.entries e
    WHERE e.parent_id = parent AND e.name = folder_name FOR UPDATE;
    IF removed_id IS NULL THEN
      outcome := CASE WHEN shows_partials AND EXISTS (
        SELECT FROM filebox.uploads u
        WHERE u.parent_id = parent AND u.user_name = owner AND u.name = folder_name AND u.resumable
      ) THEN 'upload' ELSE 'missing' END;
    ELSIF found_kind <> 'folder' THEN
      outcome := 'file';
    ELSIF shows_partials AND EXISTS (
      SELECT FROM filebox.uploads u WHERE u.parent_id = removed_id AND u.user_name = owner AND u.resumable
    ) THEN
      outcome := 'full';
    ELSE
      DELETE FROM filebox.entries e
      WHERE e.id = removed_id AND NOT EXISTS (SELECT FROM filebox.entries child WHERE child.parent_id = removed_id);
      outcome := CASE WHEN FOUND THEN 'removed' ELSE 'full' END;
      IF FOUND THEN
        given_up := filebox.give_up_uploads_to(ARRAY[removed_id]);
      END IF;
    END IF;
    RETURN NEXT;
  END $$;`;
