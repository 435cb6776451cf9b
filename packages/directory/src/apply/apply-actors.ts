import type {
  PlatformConfiguration,
  ActorConfiguration,
} from '@waybill/contracts/configuration/platform-configuration';
import type { Transaction } from '@waybill/postgres/database';
import type { Change } from './change.ts';
import { reconcileEntities } from './reconcile-entities.ts';

/** An actor of the configuration, with its id in the database. */
export interface AppliedActor {
  readonly id: string;
  readonly actor: ActorConfiguration;
}

/** Applies actors, without their users, VFSs and contracts. */
export async function applyActors(
  trx: Transaction,
  { actors }: PlatformConfiguration,
): Promise<{ actors: AppliedActor[]; changes: readonly Change[] }> {
  const wanted = actors.map(({ name, description, type }) => ({ name, definition: { name, description, type } }));
  const { entities, changes } = await reconcileEntities(trx, { entityType: 'Actor', table: 'actors' }, wanted);
  return {
    changes,
    actors: actors.flatMap((actor) => {
      const entity = entities.get(actor.name);
      return entity ? [{ id: entity.id, actor }] : [];
    }),
  };
}
