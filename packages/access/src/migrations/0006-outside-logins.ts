import type { Migration } from '@waybill/postgres/migrate';

/** Logins of users whom an outside issuer has identified: they have the roles of their claims. The others have no `roles`. */
export const outsideLogins: Migration = {
  name: '0006_outside_logins',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE access.refresh_tokens ADD COLUMN roles text[];
      ALTER TABLE access.refresh_tokens ADD COLUMN issuer text;
      ALTER TABLE access.refresh_tokens ADD COLUMN subject text;
      ALTER TABLE access.refresh_tokens ADD CONSTRAINT outside_login
        CHECK ((roles IS NULL) = (issuer IS NULL) AND (roles IS NULL) = (subject IS NULL));
    `);
  },
};
