import type { Migration } from '@waybill/postgres/migrate';

/** The settings of the audit log at the last start, to record what has changed since. One row, which is replaced. */
export const settings: Migration = {
  name: '0011_settings',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE audit.settings (
        id int PRIMARY KEY DEFAULT 1 CHECK (id = 1),
        settings jsonb
      );
      INSERT INTO audit.settings DEFAULT VALUES;
    `);
  },
};
