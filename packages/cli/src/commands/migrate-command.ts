import { migrate } from '@waybill/postgres/migrate';
import type { Command } from '../command.ts';
import { packageSchemas } from '../package-schemas.ts';
import { withDatabase } from '../with-database.ts';

/** Brings the database up to date. */
export const migrateCommand: Command = {
  summary: 'Prepares the database, or brings it up to date; safe to repeat.',
  usage: '',
  positionals: [],
  run: async (invocation) => {
    const applied = await withDatabase(invocation, async (db) => {
      const names: string[] = [];
      for (const owned of packageSchemas) {
        names.push(...(await migrate(db, owned)).map((name) => `${owned.schema}.${name}`));
      }
      return names;
    });
    for (const name of applied) invocation.out(`applied ${name}`);
    invocation.out(applied.length === 0 ? 'The database is up to date.' : 'The database is up to date now.');
  },
};
