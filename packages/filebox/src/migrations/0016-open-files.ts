import type { Migration } from '@waybill/postgres/migrate';

/**
 * An open upload belongs to a file, not to a name. The row of an upload has the place where it will be committed: a
 * rename moves the row with the file, and a removal marks it, so that it is never committed. `follows_file` marks an
 * upload that is based on the file at its place, whichever session renames or removes that; other uploads are listed by
 * the session that has them open.
 */
export const openFiles: Migration = {
  name: '0016_open_files',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE filebox.uploads
        ADD COLUMN follows_file boolean NOT NULL DEFAULT false,
        ADD COLUMN removed boolean NOT NULL DEFAULT false;
      CREATE INDEX uploads_following ON filebox.uploads (parent_id, name) WHERE follows_file;
    `);
    await trx.raw(removeUploads);
    await trx.raw(moveUploads);
    await trx.raw(giveUpOwn);
    await trx.raw(renameEntry);
  },
};

/**
 * Marks the uploads of a place that belong to the file there: those that follow it, and those of \`open\`. Their
 * holders can still read and write them, but not commit. They cannot be resumed, and are swept when they are no longer
 * held.
 */
const removeUploads = `
  CREATE FUNCTION filebox.remove_uploads_of_file(folder bigint, file_name text, open uuid[]) RETURNS uuid[]
  LANGUAGE plpgsql AS $$
  DECLARE
    marked_ids uuid[];
  BEGIN
    WITH belonging AS (
      SELECT u.blob_id FROM filebox.uploads u WHERE u.parent_id = folder AND u.name = file_name AND u.follows_file
      UNION
      SELECT u.blob_id FROM filebox.uploads u WHERE u.blob_id = ANY (open) AND u.parent_id = folder AND u.name = file_name
    ), marked AS (
      UPDATE filebox.uploads u SET removed = true, resumable = false, kept_until = now()
      FROM belonging WHERE u.blob_id = belonging.blob_id AND NOT u.removed
      RETURNING u.blob_id
    )
    SELECT COALESCE(array_agg(blob_id), '{}') INTO marked_ids FROM marked;
    RETURN marked_ids;
  END $$;`;

/** Moves the uploads that belong to a file to another place. */
const moveUploads = `
  CREATE FUNCTION filebox.move_uploads_of_file(folder bigint, file_name text, to_folder bigint, to_name text, open uuid[])
  RETURNS uuid[] LANGUAGE plpgsql AS $$
  DECLARE
    moved_ids uuid[];
  BEGIN
    WITH belonging AS (
      SELECT u.blob_id FROM filebox.uploads u WHERE u.parent_id = folder AND u.name = file_name AND u.follows_file
      UNION
      SELECT u.blob_id FROM filebox.uploads u WHERE u.blob_id = ANY (open) AND u.parent_id = folder AND u.name = file_name
    ), moved AS (
      UPDATE filebox.uploads u SET parent_id = to_folder, name = to_name, started_at = clock_timestamp()
      FROM belonging WHERE u.blob_id = belonging.blob_id AND NOT u.removed
      RETURNING u.blob_id
    )
    SELECT COALESCE(array_agg(blob_id), '{}') INTO moved_ids FROM moved;
    RETURN moved_ids;
  END $$;`;

/** Discards a user's interrupted uploads to a place that are not held. */
const giveUpOwn = `
  CREATE FUNCTION filebox.give_up_interrupted(folder bigint, file_name text, owner text) RETURNS uuid[]
  LANGUAGE plpgsql AS $$
  DECLARE
    gone_ids uuid[];
  BEGIN
    WITH gone AS (
      DELETE FROM filebox.uploads u
      WHERE u.parent_id = folder AND u.name = file_name AND u.user_name = owner AND u.resumable AND u.lease_until < now()
      RETURNING u.blob_id, u.storage_class
    ), removals AS (
      INSERT INTO filebox.blob_removals (blob_id, storage_class) SELECT blob_id, storage_class FROM gone
    )
    SELECT COALESCE(array_agg(blob_id), '{}') INTO gone_ids FROM gone;
    RETURN gone_ids;
  END $$;`;

/**
 * Renames the entry that was read at a place, if it is unchanged. Moves of folders are serialised within a VFS, by a
 * lock of its root before any other. Folders are locked before files; rows are locked in the order of their ids. A free
 * target is not locked: the unique index refuses a second one.
 */
const renameEntry = `
  CREATE FUNCTION filebox.rename_entry(vfs text, source_parents text[], source_name text, target_parents text[],
    target_name text, source_folder bigint, target_folder bigint, source_id bigint, source_version text, target_id bigint,
    owner text, open uuid[], new_dfic jsonb)
  RETURNS TABLE (renamed boolean, moved uuid[], removed uuid[], given_up uuid[]) LANGUAGE plpgsql AS $$
  DECLARE
    source_kind text;
    is_move boolean := source_folder <> target_folder;
  BEGIN
    renamed := false;
    SELECT e.kind INTO source_kind FROM filebox.entries e WHERE e.id = source_id;
    IF is_move AND source_kind = 'folder' THEN
      PERFORM FROM filebox.entries e WHERE e.vfs_id = vfs AND e.parent_id IS NULL FOR NO KEY UPDATE;
    END IF;
    IF filebox.entry_at(vfs, source_parents) IS DISTINCT FROM source_folder
      OR filebox.entry_at(vfs, target_parents) IS DISTINCT FROM target_folder THEN
      RETURN NEXT;
      RETURN;
    END IF;
    IF source_kind IS DISTINCT FROM 'folder' AND (is_move OR target_id IS NOT NULL) THEN
      PERFORM FROM filebox.entries e WHERE e.id IN (source_folder, target_folder) ORDER BY e.id FOR KEY SHARE;
    END IF;
    PERFORM FROM filebox.entries e
    WHERE (e.parent_id = source_folder AND e.name = source_name)
      OR (target_id IS NOT NULL AND e.parent_id = target_folder AND e.name = target_name)
    ORDER BY e.id FOR UPDATE;
    IF (SELECT e.id FROM filebox.entries e WHERE e.parent_id = source_folder AND e.name = source_name)
        IS DISTINCT FROM source_id
      OR (SELECT e.id FROM filebox.entries e WHERE e.parent_id = target_folder AND e.name = target_name)
        IS DISTINCT FROM target_id
      OR (source_version IS NOT NULL AND (SELECT e.xmin::text FROM filebox.entries e WHERE e.id = source_id)
        IS DISTINCT FROM source_version) THEN
      RETURN NEXT;
      RETURN;
    END IF;
    renamed := true;
    removed := '{}';
    given_up := '{}';
    IF source_kind IS DISTINCT FROM 'folder' THEN
      removed := filebox.remove_uploads_of_file(target_folder, target_name, open);
      given_up := filebox.give_up_interrupted(target_folder, target_name, owner);
    END IF;
    IF target_id IS NOT NULL AND source_id IS NOT NULL THEN
      DELETE FROM filebox.entries e WHERE e.id = target_id;
    END IF;
    IF source_id IS NOT NULL THEN
      UPDATE filebox.entries e SET parent_id = target_folder, name = target_name,
        unannounced = e.unannounced AND new_dfic IS NULL, dfic = COALESCE(new_dfic, e.dfic)
      WHERE e.id = source_id;
    END IF;
    moved := '{}';
    IF source_kind IS DISTINCT FROM 'folder' THEN
      moved := filebox.move_uploads_of_file(source_folder, source_name, target_folder, target_name, open);
    END IF;
    RETURN NEXT;
  END $$;`;
