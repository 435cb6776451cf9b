import type { ActorScope } from '@waybill/access/principal';
import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';

/** A name that an actor owns, and since when. */
export interface OwnedName {
  readonly name: string;
  readonly since: Date;
}

/** What some actors own now, by name. */
export interface NamesOfActors {
  readonly users: readonly OwnedName[];
  readonly virtualFileSystems: readonly OwnedName[];
}

/** The names of the users and the virtual file systems of some actors. */
export async function namesOfActors(on: Queryable, actors: readonly string[]): Promise<NamesOfActors> {
  const rows = await queryRows<OwnedName & { kind: 'user' | 'vfs' }>(
    on,
    `WITH chosen AS (
       SELECT id FROM directory.actors WHERE name IN (SELECT jsonb_array_elements_text(CAST(:actors AS jsonb))))
     SELECT 'user' AS kind, name, owned_since AS since FROM directory.partner_users WHERE actor_id IN (SELECT id FROM chosen)
     UNION ALL
     SELECT 'vfs', name, owned_since FROM directory.virtual_file_systems
      WHERE actor_id IN (SELECT id FROM chosen) AND retired_at IS NULL`,
    { actors: JSON.stringify(actors) },
  );
  const namesOf = (wanted: 'user' | 'vfs') => rows.filter(({ kind }) => kind === wanted);
  return { users: namesOf('user'), virtualFileSystems: namesOf('vfs') };
}

/** A name, and the actor that owns it. */
export interface NameOwner extends OwnedName {
  readonly kind: 'user' | 'vfs';
  readonly actor: string;
}

/** The actors that own some users and virtual file systems now, by name. */
export async function ownersOfNames(
  on: Queryable,
  { users, virtualFileSystems }: { readonly users: readonly string[]; readonly virtualFileSystems: readonly string[] },
): Promise<NameOwner[]> {
  return queryRows<NameOwner>(
    on,
    `SELECT 'user' AS kind, u.name, u.owned_since AS since, a.name AS actor
       FROM directory.partner_users u JOIN directory.actors a ON a.id = u.actor_id
      WHERE u.name IN (SELECT jsonb_array_elements_text(CAST(:users AS jsonb)))
     UNION ALL
     SELECT 'vfs', v.name, v.owned_since, a.name
       FROM directory.virtual_file_systems v JOIN directory.actors a ON a.id = v.actor_id
      WHERE v.name IN (SELECT jsonb_array_elements_text(CAST(:virtualFileSystems AS jsonb))) AND v.retired_at IS NULL`,
    { users: JSON.stringify(users), virtualFileSystems: JSON.stringify(virtualFileSystems) },
  );
}

/** Which users are those of the actors to which somebody is limited: all, without a limit. */
export async function reachedUsers(on: Queryable, actors: ActorScope): Promise<(userName: string) => boolean> {
  if (actors === undefined) return () => true;
  const names = new Set(await usersOfActors(on, actors));
  return (userName) => names.has(userName);
}

/** The names of the users of some actors. */
export async function usersOfActors(on: Queryable, actors: readonly string[]): Promise<readonly string[]> {
  const rows = await queryRows<{ name: string }>(
    on,
    `SELECT u.name FROM directory.partner_users u JOIN directory.actors a ON a.id = u.actor_id
      WHERE a.name IN (SELECT jsonb_array_elements_text(CAST(:actors AS jsonb)))`,
    { actors: JSON.stringify(actors) },
  );
  return rows.map(({ name }) => name);
}
