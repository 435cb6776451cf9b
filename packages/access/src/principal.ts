import { type RoleDefinition, builtInRoles } from '@waybill/contracts/roles/built-in-roles';
import { type Permission, permissionsOf } from '@waybill/contracts/roles/permissions';
import type { UserName } from '@waybill/contracts/values/user-name';

/** Who a bearer token says that the caller is. What the caller may do is looked up. */
export interface Identity {
  readonly userName: UserName;
  /** The roles that the user had when the token was issued. */
  readonly roles: readonly string[];
  /** When the token expires, in milliseconds since 1970. */
  readonly expiresAt?: number;
  /** The login that the token comes from, in decimal: the token is valid as long as this has not ended. */
  readonly sessionId?: string;
}

/** What one role allows. */
export interface Grant {
  readonly permissions: ReadonlySet<Permission>;
  /** The actors to which it is limited; `undefined`: all. */
  readonly actors: readonly string[] | undefined;
}

/** The actors that somebody reaches: `undefined` for all. */
export type ActorScope = readonly string[] | undefined;

/** The caller of a management interface, with what the caller may do now. */
export interface Principal extends Identity {
  readonly grants: readonly Grant[];
  /** The API key that the caller has sent instead of an access token. */
  readonly apiKeyId?: string;
}

/** What the built-in roles among these names allow, and the others as they are defined. Unknown roles allow nothing. */
export function grantsOf(roles: readonly string[], defined: ReadonlyMap<string, RoleDefinition> = new Map()): Grant[] {
  const builtIn = new Map<string, RoleDefinition>(Object.entries(builtInRoles));
  return [...new Set(roles)].flatMap((role) => {
    const definition = builtIn.get(role) ?? defined.get(role);
    return definition ? [{ permissions: permissionsOf(definition.permissions), actors: definition.actors }] : [];
  });
}

/** The actors for whose objects the grants have a permission: `all`, some, or none. */
export function reachOf(grants: readonly Grant[], permission: Permission): 'all' | readonly string[] {
  const having = grants.filter(({ permissions }) => permissions.has(permission));
  if (having.some(({ actors }) => actors === undefined)) return 'all';
  return [...new Set(having.flatMap(({ actors = [] }) => actors))];
}

/** What both allow: for each permission, the actors that are reached with one and with the other. */
export function intersectGrants(grants: readonly Grant[], others: readonly Grant[]): Grant[] {
  return grants
    .flatMap((grant) =>
      others.map((other) => ({
        permissions: new Set([...grant.permissions].filter((permission) => other.permissions.has(permission))),
        actors: actorsOfBoth(grant.actors, other.actors),
      })),
    )
    .filter(({ permissions, actors }) => permissions.size > 0 && actors?.length !== 0);
}

/** What grants allow for the objects of these actors; everything without a limit. */
export function limitGrants(grants: readonly Grant[], actors: ActorScope): Grant[] {
  return grants.map((grant) => ({ ...grant, actors: actorsOfBoth(grant.actors, actors) }));
}

function actorsOfBoth(actors: ActorScope, others: ActorScope): ActorScope {
  if (actors === undefined || others === undefined) return actors ?? others;
  const known = new Set(others);
  return actors.filter((actor) => known.has(actor));
}

/** Whether grants allow everything that others allow. */
export function coverGrants(grants: readonly Grant[], others: readonly Grant[]): boolean {
  return others.every(({ permissions, actors }) =>
    [...permissions].every((permission) => {
      const reach = reachOf(grants, permission);
      return reach === 'all' || (actors !== undefined && actors.every((actor) => reach.includes(actor)));
    }),
  );
}
