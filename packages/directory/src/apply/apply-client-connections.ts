import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import type { AppliedActor } from './apply-actors.ts';
import type { Change } from './change.ts';
import { type Applying, reconcileEntities } from './reconcile-entities.ts';

/** Applies the client connections of the platform and of its actors. A removed one is gone for the next step that names it. */
export async function applyClientConnections(
  applying: Applying,
  { clientConnections }: PlatformConfiguration,
  actors: readonly AppliedActor[],
): Promise<readonly Change[]> {
  const owned = actors.flatMap(({ id, actor }) =>
    actor.clientConnections.map((connection) => ({
      name: connection.name,
      definition: { ...connection, actor: actor.name },
      columns: { actor_id: id },
    })),
  );
  const shared = clientConnections.map((connection) => ({
    name: connection.name,
    definition: connection,
    columns: { actor_id: null },
  }));
  const kind = { entityType: 'Client Connection', table: 'client_connections' } as const;
  const { changes } = await reconcileEntities(applying, kind, [...shared, ...owned]);
  return changes;
}
