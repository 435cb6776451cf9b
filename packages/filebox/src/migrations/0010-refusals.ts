import type { Migration } from '@waybill/postgres/migrate';

/** Lets a single statement undo its work when it finds that a condition does not hold. */
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
