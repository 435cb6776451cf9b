import type { Migration } from '@waybill/postgres/migrate';

/**
 * A number that increases whenever a user is frozen or disabled, so that earlier sessions remain invalid when the user
 * may log in again.
 */
export const loginEpochs: Migration = {
  name: '0007_login_epochs',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE directory.partner_users ADD COLUMN login_epoch integer NOT NULL DEFAULT 0;

      CREATE FUNCTION directory.begin_epoch_of_disabled() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        NEW.login_epoch := OLD.login_epoch + 1;
        RETURN NEW;
      END $$;
      CREATE TRIGGER disabled BEFORE UPDATE OF enabled ON directory.partner_users
        FOR EACH ROW WHEN (OLD.enabled AND NOT NEW.enabled) EXECUTE FUNCTION directory.begin_epoch_of_disabled();

      CREATE FUNCTION directory.begin_epoch_of_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        UPDATE directory.partner_users SET login_epoch = login_epoch + 1 WHERE name = NEW.user_name;
        RETURN NULL;
      END $$;
      CREATE TRIGGER frozen AFTER INSERT ON directory.frozen_users
        FOR EACH ROW EXECUTE FUNCTION directory.begin_epoch_of_frozen();
    `);
  },
};
