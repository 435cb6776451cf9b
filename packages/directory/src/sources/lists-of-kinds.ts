import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import type {
  ActorConfiguration,
  PlatformConfiguration,
} from '@waybill/contracts/configuration/platform-configuration';
import { isNamedInActor } from './entity-target.ts';

type List = Exclude<keyof PlatformConfiguration, 'source' | 'manager' | 'actors'>;
/** The members of an actor that are lists of what has a name. */
type ListOfActor = {
  [Member in keyof ActorConfiguration]-?: ActorConfiguration[Member] extends { name: string }[] ? Member : never;
}[keyof ActorConfiguration];

/** Where a configuration has the entities of a kind that belong to no actor. */
export const platformLists: ReadonlyMap<EntityType, List> = new Map([
  ['Cluster', 'clusters'],
  ['Account Policy', 'accountPolicies'],
  ['Storage Class', 'storageClasses'],
  ['Job Queue', 'queues'],
  ['Workflow Template', 'workflowTemplates'],
  ['Role', 'roles'],
  ['Internal User', 'managerUsers'],
  ['Client Connection', 'clientConnections'],
  ['PGP Key', 'pgpKeys'],
  ['Access Test', 'accessTests'],
]);

/** Where an actor of a configuration has the entities of a kind. */
export const actorLists: ReadonlyMap<EntityType, ListOfActor> = new Map([
  ['External User', 'users'],
  ['Group', 'groups'],
  ['VFS', 'virtualFileSystems'],
  ['Connection Contract', 'connectionContracts'],
  ['Client Connection', 'clientConnections'],
  ['PGP Key', 'pgpKeys'],
  ['Contract', 'contracts'],
]);

/** The settings of an actor itself, without the lists of what belongs to it. */
export function settingsOfActor(actor: ActorConfiguration): Record<string, unknown> {
  const lists = new Set<string>(actorLists.values());
  return Object.fromEntries(Object.entries(actor).filter(([member]) => !lists.has(member)));
}

/** The identity of an entity by its name: groups and Connection Contracts of two actors may have the same one. */
export function nameKey(entityType: EntityType, name: string, actor: unknown): string {
  return JSON.stringify([entityType, name, isNamedInActor(entityType) ? actor : null]);
}
