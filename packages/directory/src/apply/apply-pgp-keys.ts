import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { AppliedActor } from './apply-actors.ts';
import type { Change } from './change.ts';
import { type Applying, reconcileEntities } from './reconcile-entities.ts';

/** Applies the PGP keys of the platform and of its actors. A removed one is gone for the next step that names it. */
export async function applyPgpKeys(
  applying: Applying,
  { pgpKeys }: PlatformConfiguration,
  actors: readonly AppliedActor[],
): Promise<readonly Change[]> {
  const owned = actors.flatMap(({ id, actor }) =>
    actor.pgpKeys.map((key) => ({
      name: key.name,
      definition: { ...key, actor: actor.name },
      columns: { actor_id: id },
    })),
  );
  const shared = pgpKeys.map((key) => ({ name: key.name, definition: key, columns: { actor_id: null } }));
  const kind = { entityType: 'PGP Key', table: 'pgp_keys' } as const;
  const { changes } = await reconcileEntities(applying, kind, [...shared, ...owned]);
  return changes;
}
