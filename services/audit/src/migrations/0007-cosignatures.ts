import type { Migration } from '@waybill/postgres/migrate';

/** The last cosignature of each witness, with the checkpoint that it is of. It proves itself, and is replaced. */
export const cosignatures: Migration = {
  name: '0007_cosignatures',
  up: async (trx) => {
    await trx.raw(`
      CREATE TABLE audit.cosignatures (
        verifier_key text COLLATE "C" PRIMARY KEY,
        line text NOT NULL,
        checkpoint text NOT NULL,
        size bigint NOT NULL,
        cosigned_at timestamptz(3) NOT NULL DEFAULT now()
      );
    `);
  },
};
