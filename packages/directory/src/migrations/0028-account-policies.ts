import type { Migration } from '@waybill/postgres/migrate';

/**
 * Account policies, and what the platform knows about a password besides its hash: since when it is in force, whether the
 * user has to change it, and the hashes of those before it. Triggers keep that for every way to set a password.
 */
export const accountPolicies: Migration = {
  name: '0028_account_policies',
  up: async (trx) => {
    await trx.raw(tables);
    await trx.raw(functions);
    for (const table of ['manager_users', 'partner_users']) await trx.raw(followedBy(table));
  },
};

const tables = `
  CREATE TABLE directory.account_policies (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name text NOT NULL UNIQUE,
    source text,
    definition jsonb NOT NULL
  );
  ALTER TABLE directory.manager_users
    ADD COLUMN password_changed_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN password_change_required boolean NOT NULL DEFAULT false;
  ALTER TABLE directory.partner_users
    ADD COLUMN password_changed_at timestamptz NOT NULL DEFAULT now(),
    ADD COLUMN password_change_required boolean NOT NULL DEFAULT false;
  CREATE TABLE directory.password_history (
    id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    manager_user_id bigint REFERENCES directory.manager_users ON DELETE CASCADE,
    partner_user_id bigint REFERENCES directory.partner_users ON DELETE CASCADE,
    password_hash text NOT NULL,
    CHECK (num_nonnulls(manager_user_id, partner_user_id) = 1)
  );
  CREATE INDEX password_history_manager ON directory.password_history (manager_user_id, id);
  CREATE INDEX password_history_partner ON directory.password_history (partner_user_id, id);
`;

/** A change is required when the configuration begins to require it, and while a password that it sets afterwards is in force. */
const functions = `
  CREATE FUNCTION directory.follow_password() RETURNS trigger LANGUAGE plpgsql AS $$
  DECLARE
    required boolean := coalesce((NEW.definition ->> 'passwordChangeRequired')::boolean, false);
  BEGIN
    IF TG_OP = 'INSERT' THEN
      NEW.password_change_required := required;
      RETURN NEW;
    END IF;
    IF NEW.password_hash IS DISTINCT FROM OLD.password_hash THEN
      NEW.password_changed_at := now();
      NEW.password_change_required := required
        AND NEW.configured_password_hash IS DISTINCT FROM OLD.configured_password_hash;
    END IF;
    IF required <> coalesce((OLD.definition ->> 'passwordChangeRequired')::boolean, false) THEN
      NEW.password_change_required := required;
    END IF;
    RETURN NEW;
  END $$;

  CREATE FUNCTION directory.remember_password() RETURNS trigger LANGUAGE plpgsql
    SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  DECLARE
    manager bigint := CASE WHEN TG_TABLE_NAME = 'manager_users' THEN OLD.id END;
    partner bigint := CASE WHEN TG_TABLE_NAME = 'partner_users' THEN OLD.id END;
  BEGIN
    INSERT INTO directory.password_history (manager_user_id, partner_user_id, password_hash)
    VALUES (manager, partner, OLD.password_hash);
    DELETE FROM directory.password_history h WHERE h.id IN (
      SELECT id FROM directory.password_history
       WHERE manager_user_id = manager OR partner_user_id = partner ORDER BY id DESC OFFSET 24);
    RETURN NULL;
  END $$;

  CREATE FUNCTION directory.change_partner_password(user_id bigint, former text, chosen text) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
  BEGIN
    UPDATE directory.partner_users SET password_hash = chosen WHERE id = user_id AND password_hash = former;
    RETURN FOUND;
  END $$;
  REVOKE ALL ON FUNCTION directory.change_partner_password(bigint, text, text) FROM PUBLIC;
`;

const followedBy = (table: string): string => `
  CREATE TRIGGER password_followed BEFORE INSERT OR UPDATE OF password_hash, definition ON directory.${table}
    FOR EACH ROW EXECUTE FUNCTION directory.follow_password();
  CREATE TRIGGER password_remembered AFTER UPDATE OF password_hash ON directory.${table}
    FOR EACH ROW WHEN (OLD.password_hash IS NOT NULL AND OLD.password_hash IS DISTINCT FROM NEW.password_hash)
    EXECUTE FUNCTION directory.remember_password();
`;
