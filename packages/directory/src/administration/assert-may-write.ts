import { type ActorScope, coverGrants, type Grant, grantsOf, reachOf } from '@waybill/access/principal';
import { type EntityType, isIdentity } from '@waybill/contracts/configuration/entity-type';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { RoleDefinition } from '@waybill/contracts/roles/built-in-roles';
import { roleConfigurationSchema } from '@waybill/contracts/roles/role-configuration';
import type { Transaction } from '@waybill/postgres/database';
import { z } from 'zod';
import type { Change } from '../apply/change.ts';
import { findGrants } from '../rights/find-rights.ts';
import type { Definition, EntityTarget } from '../sources/entity-target.ts';
import type { StoredEntity } from '../sources/stored-entities.ts';
import { unknownEntity } from './unknown-entity.ts';

/** What the writer of an entity may do. */
export interface WriterRights {
  readonly grants: readonly Grant[];
  /** The actors to which the permission to write is limited. */
  readonly actors: ActorScope;
  /** The API key that the writer has sent instead of an access token. */
  readonly apiKeyId?: string | undefined;
  /** The writer has proved the own password, and the second factor, with this request. */
  readonly isProved?: boolean | undefined;
}

/** A change of one entity: `configuration` has nothing but its new settings, or nothing if it is deleted. */
export interface ProposedWrite {
  readonly target: EntityTarget;
  readonly stored: StoredEntity | undefined;
  readonly configuration: PlatformConfiguration;
}

/** The actor that an entity belongs to; that of an actor is itself. */
export function actorOf({ entityType, name }: EntityTarget, definition: Definition | undefined): string | undefined {
  if (entityType === 'Actor') return name;
  const actor = definition?.['actor'];
  return typeof actor === 'string' ? actor : undefined;
}

/** Whether an entity belongs to an actor that is reached. What does not is treated as if it did not exist. */
export function isEntityReached(target: EntityTarget, definition: Definition, actors: ActorScope): boolean {
  const actor = actorOf(target, definition);
  return actors === undefined || (actor !== undefined && actors.includes(actor));
}

/** @throws CodedError `entity_unknown` for what belongs to no actor that is reached: it is not disclosed */
export function assertEntityReached(target: EntityTarget, definition: Definition, actors: ActorScope): void {
  if (!isEntityReached(target, definition, actors)) throw unknownEntity(target);
}

/**
 * Refuses what a writer may not do besides having the permission: write what belongs to no actor of the role, or give rights that
 * the writer does not have. `stored` is reached. @throws CodedError `not_permitted`
 */
export async function assertMayWrite(trx: Transaction, rights: WriterRights, proposed: ProposedWrite): Promise<void> {
  const { target, stored, configuration } = proposed;
  if (!stored) assertOwnActor(target, rights.actors);
  const { entityType } = target;
  const [actor] = configuration.actors;
  if (entityType === 'Actor') {
    // Without its policy, the actor could be created again with another one.
    assertSamePolicy(rights.grants, target.name, { before: stored?.definition, after: actor });
  }
  if (!isIdentity(entityType)) return;
  const roles = stored ? rolesIn(entityType, stored.definition) : { names: [], defined: [] };
  const names = [...roles.names, ...configuration.managerUsers.flatMap((user) => user.roles)];
  const defined = [...roles.defined, ...configuration.roles];
  await assertCovered(trx, rights.grants, { names, defined }, `${entityType} ${target.name}`);
}

/**
 * Refuses a plan to somebody who may not read what it shows: manager users and roles as they are, and what they would be.
 * @throws CodedError `not_permitted`
 */
export function assertMayPlan(grants: readonly Grant[], changes: readonly Change[]): void {
  if (mayReadIdentities(grants) || !changes.some(({ entityType }) => isIdentity(entityType))) return;
  refuse('The document changes manager users or roles: this requires the permission identities:read');
}

/**
 * Refuses a document to somebody who may not read manager users and roles: whether those that it has are in order tells which there are.
 * @throws CodedError `not_permitted`
 */
export function assertMayCheck(grants: readonly Grant[], configuration: PlatformConfiguration): void {
  if (mayCheck(grants, configuration)) return;
  refuse('The document has manager users or roles: this requires the permission identities:read');
}

/** Whether somebody may know whether a document is in order. */
export function mayCheck(grants: readonly Grant[], { managerUsers, roles }: PlatformConfiguration): boolean {
  return mayReadIdentities(grants) || managerUsers.length + roles.length === 0;
}

/** Whether somebody may read all manager users and roles. */
export function mayReadIdentities(grants: readonly Grant[]): boolean {
  return reachOf(grants, 'identities:read') === 'all';
}

/**
 * Refuses changes of a whole configuration that the one who applies it may not make: each needs the permission for its kind of
 * entity, and none may give rights that this user does not have. Called when the changes have been made in the transaction.
 * @throws CodedError `not_permitted`
 */
export async function assertMayApply(
  trx: Transaction,
  grants: readonly Grant[],
  changes: readonly Change[],
): Promise<void> {
  for (const { change, entityType, entityName, definition, definitions } of changes) {
    const isOfIdentity = isIdentity(entityType);
    const isOfLogins = isOfIdentity || entityType === 'Account Policy';
    const permission =
      `${isOfLogins ? 'identities' : 'configuration'}:${change === 'deleted' ? 'delete' : 'write'}` as const;
    if (reachOf(grants, permission) !== 'all') {
      refuse(`${entityType} ${entityName} would be ${change}: this requires the permission ${permission}`);
    }
    if (entityType === 'Actor') {
      const versions = { created: { after: definition }, modified: definitions ?? {}, deleted: { before: definition } };
      assertSamePolicy(grants, entityName, versions[change]);
    }
    if (!isOfIdentity) continue;
    const versions = [definition, definitions?.before, definitions?.after].filter((version) => version !== undefined);
    const roles = versions.map((version) => rolesIn(entityType, version));
    const [names, defined] = [roles.flatMap((role) => role.names), roles.flatMap((role) => role.defined)];
    await assertCovered(trx, grants, { names, defined }, `${entityType} ${entityName}`);
  }
}

/**
 * The account policy of an actor decides how its users prove who they are: choosing another one is no change of the
 * configuration alone. @throws CodedError `not_permitted`
 */
function assertSamePolicy(
  grants: readonly Grant[],
  actor: string,
  { before, after }: { readonly before?: Definition | undefined; readonly after?: Definition | undefined },
): void {
  if (before?.['accountPolicy'] === after?.['accountPolicy'] || reachOf(grants, 'identities:write') === 'all') return;
  const would = after ? 'have another account policy' : 'be deleted with its account policy';
  refuse(`The actor ${actor} would ${would}: this requires the permission identities:write`);
}

async function assertCovered(
  trx: Transaction,
  grants: readonly Grant[],
  { names, defined }: NamedRoles,
  title: string,
): Promise<void> {
  const given = [...(await findGrants(trx, names)), ...defined.flatMap(grantsOfRole)];
  if (coverGrants(grants, given)) return;
  refuse(`${title} has more rights than you, or would have: who has them may change that`);
}

/** What is new belongs to an actor that is reached. @throws CodedError `not_permitted`, whether the actor exists or not */
function assertOwnActor(target: EntityTarget, actors: ActorScope): void {
  const actor = target.entityType === 'Actor' ? target.name : target.actor;
  if (actors === undefined || (actor !== undefined && actors.includes(actor))) return;
  refuse(`Your role is limited to ${actors.join(', ')}`);
}

const managerSchema = z.object({ roles: z.array(z.string()) });

interface NamedRoles {
  readonly names: readonly string[];
  readonly defined: readonly RoleDefinition[];
}

/** The rights that a role or a manager user has. */
function rolesIn(entityType: EntityType, definition: Definition): NamedRoles {
  if (entityType === 'Internal User') return { names: managerSchema.parse(definition).roles, defined: [] };
  return { names: [], defined: entityType === 'Role' ? [roleConfigurationSchema.parse(definition)] : [] };
}

function grantsOfRole(role: RoleDefinition): Grant[] {
  return grantsOf(['role'], new Map([['role', role]]));
}

function refuse(detail: string): never {
  throw new CodedError('not_permitted', { detail });
}
