import type { Migration } from '@waybill/postgres/migrate';

/** Who a manager user is at an outside issuer. One identity there is one user here. */
export const oidcLinks: Migration = {
  name: '0035_oidc_links',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE directory.manager_users ADD COLUMN oidc_issuer text;
      ALTER TABLE directory.manager_users ADD COLUMN oidc_subject text;
      ALTER TABLE directory.manager_users ADD CONSTRAINT oidc_link CHECK ((oidc_issuer IS NULL) = (oidc_subject IS NULL));
      ALTER TABLE directory.manager_users ADD CONSTRAINT manager_users_oidc_unique
        UNIQUE (oidc_issuer, oidc_subject) DEFERRABLE INITIALLY DEFERRED;
    `);
  },
};
