import type { Database } from '@waybill/postgres/database';
import { migrate } from '@waybill/postgres/migrate';
import { migrateWithRoles } from '@waybill/postgres/roles/migrate-with-roles';
import type { Command } from '../../command.ts';
import { allSchemas } from '../../database/all-schemas.ts';
import { roleSettingsOf } from '../../database/role-settings.ts';
import { withDatabase } from '../../database/with-database.ts';
import { flagOption } from '../../platform/option-values.ts';

/** Brings the database up to date. */
export const migrateCommand: Command = {
  summary:
    'Creates or updates the schemas and the roles of the database; safe to repeat. With --without-roles the user of DATABASE_URL owns everything.',
  examples: ['waybill migrate'],
  options: { 'without-roles': flagOption('Makes no roles: the user of DATABASE_URL owns everything.') },
  run: async (invocation) => {
    const settings = roleSettingsOf(invocation.env);
    const run =
      invocation.values['without-roles'] === true
        ? migrateAll
        : (db: Database) => migrateWithRoles(db, allSchemas, settings);
    const applied = await withDatabase(invocation, run);
    for (const name of applied) invocation.out(`applied ${name}`);
    invocation.out(applied.length === 0 ? 'The database is up to date.' : 'The database is up to date now.');
  },
};

async function migrateAll(db: Database): Promise<string[]> {
  const applied: string[] = [];
  for (const owned of allSchemas) {
    applied.push(...(await migrate(db, owned)).map((name) => `${owned.schema}.${name}`));
  }
  return applied;
}
