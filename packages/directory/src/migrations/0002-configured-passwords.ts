import type { Migration } from '@waybill/postgres/migrate';

/**
 * The password that the configuration set last, beside the one in force: applying the same configuration again must
 * not undo a later change by the user.
 */
export const configuredPasswords: Migration = {
  name: '0002_configured_passwords',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE directory.manager_users ADD COLUMN configured_password_hash text;
      ALTER TABLE directory.partner_users ADD COLUMN configured_password_hash text;
      UPDATE directory.manager_users SET configured_password_hash = password_hash;
      UPDATE directory.partner_users SET configured_password_hash = password_hash;
    `);
  },
};
