import type { Migration } from '@waybill/postgres/migrate';

/**
 * Since when an actor owns the name of a user or of a virtual file system. A name can be given to another actor after a removal, or
 * while its files are kept: audit records from before then belong to the actor of that time. Of what exists already nothing is known, so
 * it counts from this migration on.
 */
export const ownedSince: Migration = {
  name: '0037_owned_since',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE directory.partner_users ADD COLUMN owned_since timestamptz NOT NULL DEFAULT now();
      ALTER TABLE directory.virtual_file_systems ADD COLUMN owned_since timestamptz NOT NULL DEFAULT now();
      CREATE FUNCTION directory.note_new_owner() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.owned_since := now();
        RETURN NEW;
      END $$;
      CREATE TRIGGER owner_changed BEFORE UPDATE ON directory.partner_users FOR EACH ROW
        WHEN (OLD.actor_id IS DISTINCT FROM NEW.actor_id OR OLD.name IS DISTINCT FROM NEW.name)
        EXECUTE FUNCTION directory.note_new_owner();
      CREATE TRIGGER owner_changed BEFORE UPDATE ON directory.virtual_file_systems FOR EACH ROW
        WHEN (OLD.actor_id IS DISTINCT FROM NEW.actor_id OR OLD.name IS DISTINCT FROM NEW.name
          OR (OLD.retired_at IS NOT NULL AND NEW.retired_at IS NULL))
        EXECUTE FUNCTION directory.note_new_owner();
    `);
  },
};
