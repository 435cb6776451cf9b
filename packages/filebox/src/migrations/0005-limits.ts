import type { Migration } from '@waybill/postgres/migrate';

/**
 * What a VFS may hold, and what it holds: files, folders, and the reservations of running and interrupted uploads. Only
 * a VFS with limits has a row, which triggers keep current whatever changes entries and uploads; the cost for others is
 * one lookup. The shared advisory lock separates those changes from `set-limits`, which counts.
 */
export const limits: Migration = {
  name: '0005_limits',
  up: async (trx) => {
    await trx.raw(tables);
    await trx.raw(usage);
    await trx.raw(depth);
    await trx.raw(triggers);
    await trx.raw(reservation);
  },
};

const tables = `
  CREATE TABLE filebox.vfs_limits (
    vfs_id text PRIMARY KEY,
    name text NOT NULL,
    max_bytes bigint,
    max_files bigint,
    max_folders bigint,
    max_depth integer,
    bytes bigint NOT NULL,
    files bigint NOT NULL,
    folders bigint NOT NULL,
    room_wanted_until timestamptz
  ) WITH (fillfactor = 50);

  ALTER TABLE filebox.uploads
    ADD COLUMN vfs_id text NOT NULL DEFAULT '',
    ADD COLUMN replaced_bytes bigint NOT NULL DEFAULT 0,
    ADD COLUMN reserved_bytes bigint NOT NULL DEFAULT 0,
    ADD COLUMN reserved_files smallint NOT NULL DEFAULT 0,
    ADD COLUMN reserved_ahead boolean NOT NULL DEFAULT false,
    ADD COLUMN refused boolean NOT NULL DEFAULT false;
  UPDATE filebox.uploads u SET vfs_id = e.vfs_id FROM filebox.entries e WHERE e.id = u.parent_id;`;

const usage = `
  CREATE FUNCTION filebox.refuse_beyond(kind text, most bigint) RETURNS void LANGUAGE plpgsql AS $$
  BEGIN
    RAISE EXCEPTION 'limit of %', kind USING ERRCODE = 'WBLIM', CONSTRAINT = kind, DETAIL = most::text;
  END $$;

  CREATE FUNCTION filebox.lock_usage(vfs text) RETURNS void LANGUAGE sql AS $$
    SELECT pg_advisory_xact_lock_shared(hashtextextended('filebox usage ' || vfs, 0));
  $$;

  CREATE FUNCTION filebox.add_to_vfs(vfs text, more_bytes bigint, more_files integer, more_folders integer,
    enforced boolean) RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    used filebox.vfs_limits;
  BEGIN
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
  END $$;`;

/** A check of a depth locks the row of the VFS, so that a folder cannot grow deeper while it moves down. */
const depth = `
  CREATE FUNCTION filebox.depth_of(entry_id bigint) RETURNS bigint LANGUAGE sql STABLE AS $$
    WITH RECURSIVE above AS (
      SELECT parent_id FROM filebox.entries WHERE id = entry_id
      UNION ALL
      SELECT e.parent_id FROM above a JOIN filebox.entries e ON e.id = a.parent_id
    )
    SELECT count(*) - 1 FROM above;
  $$;

  CREATE FUNCTION filebox.height_of(entry_id bigint) RETURNS integer LANGUAGE sql STABLE AS $$
    WITH RECURSIVE below AS (
      SELECT entry_id AS id, 0 AS height
      UNION ALL
      SELECT e.id, b.height + 1 FROM below b JOIN filebox.entries e ON e.parent_id = b.id WHERE e.kind = 'folder'
    )
    SELECT max(height) FROM below;
  $$;

  CREATE FUNCTION filebox.check_depth(vfs text, folder bigint, from_parent bigint, to_parent bigint)
  RETURNS void LANGUAGE plpgsql AS $$
  DECLARE
    most integer;
    new_depth bigint;
  BEGIN
    SELECT max_depth INTO most FROM filebox.vfs_limits WHERE vfs_id = vfs AND max_depth IS NOT NULL FOR UPDATE;
    IF NOT FOUND THEN RETURN; END IF;
    new_depth := filebox.depth_of(to_parent) + 1;
    -- Out of a place that is too deep, into a better one.
    IF from_parent IS NOT NULL AND new_depth <= filebox.depth_of(from_parent) + 1 THEN RETURN; END IF;
    IF new_depth + filebox.height_of(folder) > most THEN PERFORM filebox.refuse_beyond('depth', most); END IF;
  END $$;`;

/**
 * Both run when a transaction commits, in the order of its changes: what an upload had reserved is free for its file,
 * and the row of usage is locked last, for a moment. Their names sort before \`count_entry\`, so that every transaction
 * that locks both locks usage first.
 */
const triggers = `
  CREATE FUNCTION filebox.account_entry() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    CASE TG_OP
      WHEN 'INSERT' THEN
        IF NEW.parent_id IS NULL THEN RETURN NULL; END IF;
        PERFORM filebox.add_to_vfs(NEW.vfs_id, COALESCE(NEW.size, 0), (NEW.kind = 'file')::integer,
          (NEW.kind = 'folder')::integer, true);
        IF NEW.kind = 'folder' THEN PERFORM filebox.check_depth(NEW.vfs_id, NEW.id, NULL, NEW.parent_id); END IF;
      WHEN 'DELETE' THEN
        PERFORM filebox.add_to_vfs(OLD.vfs_id, -COALESCE(OLD.size, 0), -(OLD.kind = 'file')::integer,
          -(OLD.kind = 'folder')::integer, false);
      ELSE
        PERFORM filebox.add_to_vfs(NEW.vfs_id, COALESCE(NEW.size, 0) - COALESCE(OLD.size, 0), 0, 0, true);
        IF NEW.kind = 'folder' AND OLD.parent_id <> NEW.parent_id THEN
          PERFORM filebox.check_depth(NEW.vfs_id, NEW.id, OLD.parent_id, NEW.parent_id);
        END IF;
    END CASE;
    RETURN NULL;
  END $$;
  CREATE CONSTRAINT TRIGGER account_entry AFTER INSERT OR DELETE OR UPDATE OF parent_id, size ON filebox.entries
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION filebox.account_entry();

  CREATE FUNCTION filebox.account_upload() RETURNS trigger LANGUAGE plpgsql AS $$
  BEGIN
    CASE TG_OP
      WHEN 'INSERT' THEN
        PERFORM filebox.add_to_vfs(NEW.vfs_id, NEW.reserved_bytes, NEW.reserved_files, 0, true);
      WHEN 'DELETE' THEN
        PERFORM filebox.add_to_vfs(OLD.vfs_id, -OLD.reserved_bytes, -OLD.reserved_files, 0, false);
      ELSE
        PERFORM filebox.add_to_vfs(NEW.vfs_id, NEW.reserved_bytes - OLD.reserved_bytes, 0, 0, false);
    END CASE;
    RETURN NULL;
  END $$;
  CREATE CONSTRAINT TRIGGER account_upload AFTER INSERT OR DELETE OR UPDATE OF reserved_bytes ON filebox.uploads
    DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION filebox.account_upload();`;

/**
 * Reserves room for an upload to grow to \`needed\` bytes, and up to \`ahead\` more. Returns the size that it may grow
 * to, null if there is no room, and whether others are about to release some: holders that have reserved more than they
 * need so far, who are asked to, and uploads that were refused. So one is refused at a time, and the next gets its
 * room. No row if the holder no longer holds the upload. Never reserves more than a 16th of the free room ahead, and
 * nothing ahead while others need room.
 */
const reservation = `
  CREATE FUNCTION filebox.is_room_to_come(vfs text) RETURNS boolean LANGUAGE sql STABLE AS $$
    SELECT EXISTS (
      SELECT FROM filebox.uploads
      WHERE vfs_id = vfs AND (reserved_ahead OR (refused AND reserved_bytes > 0)) AND lease_until > now()
    );
  $$;

  CREATE FUNCTION filebox.reserve(upload uuid, held_by uuid, needed bigint, ahead bigint)
  RETURNS TABLE (covered bigint, ahead_of_need boolean, room_to_come boolean, most bigint) LANGUAGE plpgsql AS $$
  DECLARE
    mine filebox.uploads;
    vfs filebox.vfs_limits;
    required bigint;
    room bigint;
  BEGIN
    SELECT * INTO mine FROM filebox.uploads WHERE blob_id = upload AND holder = held_by FOR UPDATE;
    IF NOT FOUND THEN RETURN; END IF;
    PERFORM filebox.lock_usage(mine.vfs_id);
    SELECT * INTO vfs FROM filebox.vfs_limits WHERE vfs_id = mine.vfs_id FOR UPDATE;
    required := GREATEST(0, needed - mine.replaced_bytes);
    room := vfs.max_bytes - vfs.bytes + mine.reserved_bytes;
    IF required > mine.reserved_bytes AND required > room THEN
      -- What was ahead of its need before is not any more.
      UPDATE filebox.uploads SET reserved_ahead = false WHERE blob_id = upload;
      room_to_come := filebox.is_room_to_come(mine.vfs_id);
      IF room_to_come THEN
        UPDATE filebox.vfs_limits SET room_wanted_until = now() + interval '5 seconds' WHERE vfs_id = mine.vfs_id;
      ELSE
        UPDATE filebox.uploads SET refused = true WHERE blob_id = upload;
      END IF;
      most := vfs.max_bytes;
      RETURN NEXT;
      RETURN;
    END IF;
    IF room IS NOT NULL THEN ahead := LEAST(ahead, GREATEST(0, room - required) / 16); END IF;
    IF vfs.room_wanted_until > now() THEN ahead := 0; END IF;
    UPDATE filebox.uploads SET reserved_bytes = required + ahead, reserved_ahead = ahead > 0 WHERE blob_id = upload;
    covered := mine.replaced_bytes + required + ahead;
    ahead_of_need := ahead > 0;
    room_to_come := false;
    RETURN NEXT;
  END $$;`;
