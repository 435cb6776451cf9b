import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { Change } from './change.ts';
import { type Applying, reconcileEntities } from './reconcile-entities.ts';

/** Applies the roles besides those that are built in. */
export async function applyRoles(applying: Applying, { roles }: PlatformConfiguration): Promise<readonly Change[]> {
  const wanted = roles.map((role) => ({ name: role.name, definition: role }));
  const { changes } = await reconcileEntities(applying, { entityType: 'Role', table: 'roles' }, wanted);
  return changes;
}
