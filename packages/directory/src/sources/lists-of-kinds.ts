import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';

type List = Exclude<keyof PlatformConfiguration, 'source' | 'manager' | 'actors'>;
type ListOfActor = Exclude<
  keyof PlatformConfiguration['actors'][number],
  'name' | 'description' | 'type' | 'accountPolicy'
>;

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
  ['VFS', 'virtualFileSystems'],
  ['Connection Contract', 'connectionContracts'],
  ['Client Connection', 'clientConnections'],
  ['PGP Key', 'pgpKeys'],
  ['Contract', 'contracts'],
]);

/** The identity of an entity by its name: Connection Contracts of two actors may have the same one. */
export function nameKey(entityType: EntityType, name: string, actor: unknown): string {
  return JSON.stringify([entityType, name, entityType === 'Connection Contract' ? actor : null]);
}
