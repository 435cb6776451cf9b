import type { Database } from '../database.ts';
import { migrate, type OwnedSchema } from '../migrate.ts';
import { applyGrants } from './apply-grants.ts';
import { roleNameOf } from './database-roles.ts';
import { ensureRoles, type RoleSettings } from './ensure-roles.ts';
import { takeOwnership } from './take-ownership.ts';

/**
 * Migrates a database as its owner, with its roles: creates missing roles, transfers objects of earlier releases to
 * the owner, and grants each role the privileges of the table. Safe to repeat. Returns the names of the applied
 * migrations. @throws CodedError `database_mismatch` if a newer release has migrated the database,
 * `configuration_invalid` if this user may not create the roles
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
