import type { Migration } from '@waybill/postgres/migrate';

/**
 * Uploads come and go. A plan that is made while their table is small reads the whole table with its dead rows, and is
 * kept until PostgreSQL analyzes the table: functions that keep their plans therefore use indexes from the start.
 */
export const indexedUploads: Migration = {
  name: '0019_indexed_uploads',
  up: async (trx) => {
    await trx.raw(uploadPlaces);
    await trx.raw(latestUpload);
    for (const name of ['uploads_at', 'rename_entry', 'remove_folder']) {
      await trx.raw(`ALTER FUNCTION filebox.${name} SET enable_seqscan = off`);
    }
  },
};

/**
 * Where uploads would be committed now. Uploads that would no longer be committed are left out. A subquery that returns
 * a value looks the folder up; for an EXISTS PostgreSQL read all entries first.
 */
const uploadPlaces = `
  CREATE OR REPLACE FUNCTION filebox.upload_places(uploads uuid[])
  RETURNS TABLE (blob_id uuid, folder_path text, name text) LANGUAGE plpgsql STABLE ROWS 1
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  BEGIN
    RETURN QUERY SELECT u.blob_id,
        (SELECT filebox.path_of(e.id) FROM filebox.entries e WHERE e.id = u.parent_id), u.name::text
      FROM filebox.uploads u WHERE u.blob_id = ANY (uploads) AND NOT u.removed;
  END $$;`;

/** The latest of a user's unfinished uploads to a place. */
const latestUpload = `
  CREATE FUNCTION filebox.latest_upload(folder bigint, file_name text, owner text)
  RETURNS TABLE (partial_blob_id uuid, partial_storage_class text, partial_name text, partial_user_name text,
    partial_started_at timestamptz) LANGUAGE plpgsql STABLE ROWS 1
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
  BEGIN
    RETURN QUERY SELECT u.blob_id, u.storage_class, u.name::text, u.user_name, u.started_at FROM filebox.uploads u
      WHERE u.parent_id = folder AND u.user_name = owner AND u.name = file_name AND u.resumable
      ORDER BY u.started_at DESC LIMIT 1;
  END $$;`;
