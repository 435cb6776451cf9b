import type {
  PlatformConfiguration,
  ActorConfiguration,
} from '@waybill/contracts/configuration/platform-configuration';
import { settingsOfActor } from '../sources/lists-of-kinds.ts';
import type { Change } from './change.ts';
import { type Applying, reconcileEntities } from './reconcile-entities.ts';

/** An actor of the configuration, with its id in the database. */
export interface AppliedActor {
  readonly id: string;
  readonly actor: ActorConfiguration;
}

/**
 * Applies actors, without their users, VFSs and contracts. An entry without a type adds to an actor that another source
 * or the API has.
 */
export async function applyActors(
  applying: Applying,
  { actors }: PlatformConfiguration,
): Promise<{ actors: AppliedActor[]; changes: readonly Change[] }> {
  const wanted = actors.flatMap((actor) =>
    actor.type === undefined ? [] : [{ name: actor.name, definition: settingsOfActor(actor) }],
  );
  const { entities, changes } = await reconcileEntities(applying, { entityType: 'Actor', table: 'actors' }, wanted);
  return {
    changes,
    actors: actors.flatMap((actor) => {
      const entity = entities.get(actor.name);
      return entity ? [{ id: entity.id, actor }] : [];
    }),
  };
}

/** Applies the account policies that actors refer to. They are in force at the next login and at the next choice of a password. */
export async function applyAccountPolicies(
  applying: Applying,
  { accountPolicies }: PlatformConfiguration,
): Promise<readonly Change[]> {
  const wanted = accountPolicies.map((policy) => ({ name: policy.name, definition: policy }));
  const kind = { entityType: 'Account Policy', table: 'account_policies' } as const;
  return (await reconcileEntities(applying, kind, wanted)).changes;
}
