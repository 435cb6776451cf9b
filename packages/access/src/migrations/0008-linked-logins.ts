import type { Migration } from '@waybill/postgres/migrate';

/** Logins with an outside issuer of users of the configuration: they have an issuer and a subject, and no `roles` of their own. */
export const linkedLogins: Migration = {
  name: '0008_linked_logins',
  up: async (trx) => {
    await trx.raw(`
      ALTER TABLE access.refresh_tokens DROP CONSTRAINT outside_login;
      ALTER TABLE access.refresh_tokens ADD CONSTRAINT outside_login
        CHECK ((issuer IS NULL) = (subject IS NULL) AND (roles IS NULL OR issuer IS NOT NULL));
    `);
  },
};
