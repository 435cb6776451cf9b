import type { Migration } from '@waybill/postgres/migrate';

/**
 * For an array parameter PostgreSQL estimates more work in a generic plan than for the given one, which has one upload
 * or none: it planned the statements of each rename again, which took as long as everything else, and the lookup of the
 * places of uploads too. Within these functions plans are kept. A rename changes uploads only if the lookup finds some,
 * and within a folder it does not change the parent, so that no trigger for moves is called.
 */
export const keptPlans: Migration = {
  name: '0017_kept_plans',
  up: async (trx) => {
    await trx.raw(uploadsAt);
    await trx.raw(uploadPlaces);
    await trx.raw(renameEntry);
  },
};

/** A user's uploads to a place: those of \`open\`, and others that are newer than the file there. */
const uploadsAt = `
  CREATE FUNCTION filebox.uploads_at(folder bigint, file_name text, owner text, open uuid[], put_at timestamptz)
  RETURNS TABLE (has_open_upload boolean, has_other_upload boolean) LANGUAGE plpgsql STABLE ROWS 1
  SET plan_cache_mode = force_generic_plan AS $$
  BEGIN
    has_open_upload := false;
    IF cardinality(open) > 0 THEN
      has_open_upload := EXISTS (
        SELECT FROM filebox.uploads u
        WHERE u.blob_id = ANY (open) AND u.parent_id = folder AND u.name = file_name AND NOT u.removed
      );
    END IF;
    has_other_upload := EXISTS (
      SELECT FROM filebox.uploads u
      WHERE u.parent_id = folder AND u.user_name = owner AND u.name = file_name AND u.resumable
        AND u.blob_id <> ALL (open) AND (put_at IS NULL OR put_at < u.started_at)
    );
    RETURN NEXT;
  END $$;`;

/** Where uploads would be committed now. Uploads that would no longer be committed are left out. */
const uploadPlaces = `
  CREATE FUNCTION filebox.upload_places(uploads uuid[])
  RETURNS TABLE (blob_id uuid, folder_path text, name text) LANGUAGE plpgsql STABLE ROWS 1
  SET plan_cache_mode = force_generic_plan AS $$
  BEGIN
    RETURN QUERY SELECT u.blob_id, CASE WHEN EXISTS (SELECT FROM filebox.entries e WHERE e.id = u.parent_id)
        THEN filebox.path_of(u.parent_id) END, u.name::text
      FROM filebox.uploads u WHERE u.blob_id = ANY (uploads) AND NOT u.removed;
  END $$;`;

/**
 * Renames the entry that was read at a place, if it is unchanged. Moves of folders are serialised within a VFS, by a
 * lock of its root before any other. Folders are locked before files; rows are locked in the order of their ids. A free
 * target is not locked: the unique index refuses a second one.
 */
const renameEntry = `
  CREATE OR REPLACE FUNCTION filebox.rename_entry(vfs text, source_parents text[], source_name text, target_parents text[],
    target_name text, source_folder bigint, target_folder bigint, source_id bigint, source_version text, target_id bigint,
    owner text, open uuid[], new_dfic jsonb)
  RETURNS TABLE (renamed boolean, moved uuid[], removed uuid[], given_up uuid[]) LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan AS $$
  DECLARE
    source_kind text;
    is_move boolean := source_folder <> target_folder;
    found_id bigint;
    found_version text;
  BEGIN
    renamed := false;
    moved := '{}';
    removed := '{}';
    given_up := '{}';
    -- The kind of an id never changes.
    IF is_move OR target_id IS NOT NULL THEN
      SELECT e.kind INTO source_kind FROM filebox.entries e WHERE e.id = source_id;
      IF is_move AND source_kind = 'folder' THEN
        PERFORM FROM filebox.entries e WHERE e.vfs_id = vfs AND e.parent_id IS NULL FOR NO KEY UPDATE;
      END IF;
    END IF;
    -- One id has one path: ends that were in one folder have one path of it.
    IF filebox.entry_at(vfs, source_parents) IS DISTINCT FROM source_folder
      OR (is_move AND filebox.entry_at(vfs, target_parents) IS DISTINCT FROM target_folder) THEN
      RETURN NEXT;
      RETURN;
    END IF;
    IF source_kind IS DISTINCT FROM 'folder' AND (is_move OR target_id IS NOT NULL) THEN
      PERFORM FROM filebox.entries e WHERE e.id IN (source_folder, target_folder) ORDER BY e.id FOR KEY SHARE;
    END IF;
    IF target_id IS NOT NULL THEN
      PERFORM FROM filebox.entries e
      WHERE (e.parent_id = source_folder AND e.name = source_name) OR (e.parent_id = target_folder AND e.name = target_name)
      ORDER BY e.id FOR UPDATE;
    END IF;
    SELECT e.id, e.kind, e.xmin::text INTO found_id, source_kind, found_version
    FROM filebox.entries e WHERE e.parent_id = source_folder AND e.name = source_name FOR UPDATE;
    IF found_id IS DISTINCT FROM source_id
      OR (source_version IS NOT NULL AND found_version IS DISTINCT FROM source_version)
      OR (SELECT e.id FROM filebox.entries e WHERE e.parent_id = target_folder AND e.name = target_name)
        IS DISTINCT FROM target_id THEN
      RETURN NEXT;
      RETURN;
    END IF;
    renamed := true;
    IF source_kind IS DISTINCT FROM 'folder' THEN
      IF cardinality(open) > 0 OR EXISTS (
        SELECT FROM filebox.uploads u WHERE u.parent_id = target_folder AND u.name = target_name AND u.follows_file
      ) THEN
        removed := filebox.remove_uploads_of_file(target_folder, target_name, open);
      END IF;
      IF EXISTS (
        SELECT FROM filebox.uploads u WHERE u.parent_id = target_folder AND u.name = target_name AND u.user_name = owner
          AND u.resumable AND u.lease_until < now()
      ) THEN
        given_up := filebox.give_up_interrupted(target_folder, target_name, owner);
      END IF;
    END IF;
    IF target_id IS NOT NULL AND source_id IS NOT NULL THEN
      DELETE FROM filebox.entries e WHERE e.id = target_id;
    END IF;
    IF is_move THEN
      UPDATE filebox.entries e SET parent_id = target_folder, name = target_name,
        unannounced = e.unannounced AND new_dfic IS NULL, dfic = COALESCE(new_dfic, e.dfic)
      WHERE e.id = source_id;
    ELSIF source_id IS NOT NULL THEN
      UPDATE filebox.entries e SET name = target_name,
        unannounced = e.unannounced AND new_dfic IS NULL, dfic = COALESCE(new_dfic, e.dfic)
      WHERE e.id = source_id;
    END IF;
    IF source_kind IS DISTINCT FROM 'folder' AND (cardinality(open) > 0 OR EXISTS (
      SELECT FROM filebox.uploads u WHERE u.parent_id = source_folder AND u.name = source_name AND u.follows_file
    )) THEN
      moved := filebox.move_uploads_of_file(source_folder, source_name, target_folder, target_name, open);
    END IF;
    RETURN NEXT;
  END $$;`;
