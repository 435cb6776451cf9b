import type { Migration } from '@waybill/postgres/migrate';

/** The public key of a secret that is a private SSH key, as one line: it tells people which key is stored. */
export const publicKeys: Migration = {
  name: '0002_public_keys',
  up: async (trx) => {
    await trx.raw('ALTER TABLE secrets.secrets ADD COLUMN public_key text');
  },
};
