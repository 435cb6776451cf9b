import type { Migration } from '@waybill/postgres/migrate';

/** Lets a single statement undo all that it did when it finds that it must not. */
export const refusals: Migration = {
  name: '0010_refusals',
  up: async (trx) => {
    await trx.raw(`
      CREATE FUNCTION filebox.refuse(why text) RETURNS void LANGUAGE plpgsql AS $$
      BEGIN
        RAISE EXCEPTION '%', why USING ERRCODE = 'WBREF';
      END $$;
    `);
  },
};
