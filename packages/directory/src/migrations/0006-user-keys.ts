import type { Migration } from '@waybill/postgres/migrate';

/**
 * Keys of users have more settings than their line. The time of the last use of a key is kept even after the key is
 * removed from the configuration.
 */
export const userKeys: Migration = {
  name: '0006_user_keys',
  up: async (trx) => {
    await trx.raw(`
      UPDATE directory.partner_users SET definition = definition || jsonb_build_object(
        'authentication', 'either',
        'publicKeys', (SELECT coalesce(jsonb_agg(jsonb_build_object('key', line)), '[]')
                         FROM unnest(public_keys) AS line));
      ALTER TABLE directory.partner_users DROP COLUMN public_keys;
      CREATE TABLE directory.key_uses (
        user_id bigint NOT NULL REFERENCES directory.partner_users ON DELETE CASCADE,
        key text NOT NULL,
        last_used_at timestamptz NOT NULL,
        PRIMARY KEY (user_id, key)
      );
    `);
  },
};
