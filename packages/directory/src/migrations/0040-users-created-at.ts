import type { Migration } from '@waybill/postgres/migrate';

/**
 * When each partner user was created: what is kept by the name of a user from before then is of a former user of that name. A user that
 * is moved to another actor stays the same user. It is the time of the row, not of the transaction, which may have begun long before.
 * Users whose names have had the same owner since `0037_owned_since` count as having always existed.
 */
export const usersCreatedAt: Migration = {
  name: '0040_users_created_at',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE directory.partner_users ADD COLUMN created_at timestamptz NOT NULL DEFAULT '-infinity';
      ALTER TABLE directory.partner_users ALTER COLUMN created_at SET DEFAULT clock_timestamp();
      UPDATE directory.partner_users SET created_at = owned_since
      WHERE owned_since > (SELECT applied_at FROM directory.migrations WHERE name = '0037_owned_since');
    `);
  },
};
