import type { Database } from '../database.ts';
import { migrate, type OwnedSchema } from '../migrate.ts';
import { applyGrants } from './apply-grants.ts';
import { roleNameOf } from './database-roles.ts';
import { ensureRoles, type RoleSettings } from './ensure-roles.ts';
import { takeOwnership } from './take-ownership.ts';

/**
 * Brings a database up to date as its owner, with the roles that work in it: creates what is missing, gives to the owner
 * what an earlier release made as somebody else, and grants each role what the table says. Safe to repeat. Answers the names
 * of the migrations that were missing.
 * @throws CodedError `database_mismatch` when a newer release has migrated the database, `configuration_invalid` when this user
 * may not make the roles
 */
export async function migrateWithRoles(
  db: Database,
  schemas: readonly OwnedSchema[],
  settings: RoleSettings,
): Promise<string[]> {
  const { prefix } = settings;
  await ensureRoles(db, settings);
  await takeOwnership(
    db,
    schemas.map(({ schema }) => schema),
    prefix,
  );
  const applied: string[] = [];
  for (const owned of schemas) {
    const names = await migrate(db, owned, { owner: roleNameOf('owner', prefix) });
    applied.push(...names.map((name) => `${owned.schema}.${name}`));
  }
  await applyGrants(db, prefix);
  return applied;
}
