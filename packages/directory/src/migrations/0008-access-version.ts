import type { Migration } from '@waybill/postgres/migrate';

/**
 * A number that increases with each transaction that may change permissions. It is increased at the commit, so that
 * its row is locked only briefly, and every reader of the number also sees the changes that it counts.
 */
export const accessVersion: Migration = {
  name: '0008_access_version',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE directory.access_state (
        singleton boolean PRIMARY KEY DEFAULT true CHECK (singleton),
        version integer NOT NULL,
        changed_by xid8 NOT NULL
      );
      INSERT INTO directory.access_state (version, changed_by) VALUES (1, pg_current_xact_id());

      CREATE FUNCTION directory.note_access_change() RETURNS trigger LANGUAGE plpgsql
        SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
      BEGIN
        UPDATE directory.access_state SET version = version + 1, changed_by = pg_current_xact_id()
         WHERE changed_by <> pg_current_xact_id();
        IF FOUND THEN
          PERFORM pg_notify('waybill_access', '');
        END IF;
        RETURN NULL;
      END $$;
    `);
    for (const table of watchedTables) {
      await trx.raw(`
        CREATE CONSTRAINT TRIGGER access_changed AFTER INSERT OR UPDATE OR DELETE ON directory.${table}
          DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION directory.note_access_change()
      `);
    }
  },
};

/** The tables from which the permissions of partner users are derived. */
const watchedTables = [
  'partner_users',
  'frozen_users',
  'connection_contracts',
  'connection_clauses',
  'virtual_file_systems',
  'acl_rules',
] as const;
