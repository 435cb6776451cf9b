import type { Migration } from '@waybill/postgres/migrate';

/** SSH keys that partner users have added by themselves. A deleted one ends the sessions that it opened. */
export const ownKeys: Migration = {
  name: '0029_own_keys',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE directory.own_keys (
        user_id bigint NOT NULL REFERENCES directory.partner_users ON DELETE CASCADE,
        key text NOT NULL,
        comment text,
        added_at timestamptz(3) NOT NULL DEFAULT now(),
        expires_at timestamptz(3),
        PRIMARY KEY (user_id, key)
      );
      CREATE CONSTRAINT TRIGGER access_changed AFTER INSERT OR UPDATE OR DELETE ON directory.own_keys
        DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION directory.note_access_change();
    `);
  },
};
