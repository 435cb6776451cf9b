import { type ActorScope, type Grant, reachOf } from '@waybill/access/principal';
import { isIdentity } from '@waybill/contracts/configuration/entity-type';
import type { StoredEntity } from '../sources/stored-entities.ts';
import type { MayName } from '../sources/with-others.ts';
import { actorOf, mayReadIdentities, type WriterRights } from './assert-may-write.ts';

/** For somebody who reads the configuration: manager users and roles are named to those who may read them. */
export function mayNameToReader(grants: readonly Grant[]): MayName {
  const readsIdentities = mayReadIdentities(grants);
  return ({ entityType }) => readsIdentities || !isIdentity(entityType);
}

/** For a writer: besides, what belongs to the actors that the writer reaches, or everything without a limit to actors. */
export function mayNameToWriter({ grants, actors }: WriterRights): MayName {
  const mayNameIdentity = mayNameToReader(grants);
  const read = reachOf(grants, 'configuration:read');
  const reached = actors === undefined || read === 'all' ? undefined : new Set([...actors, ...read]);
  return (entity) => {
    if (isIdentity(entity.entityType) || reached === undefined) return mayNameIdentity(entity);
    const actor = actorOf(entity, entity.definition);
    return actor !== undefined && reached.has(actor);
  };
}

/** Whether settings of a writer may refer to an entity: what belongs to actors that the writer does not reach does not exist for them. */
export function mayReferTo(entity: StoredEntity, actors: ActorScope): boolean {
  const actor = actorOf(entity, entity.definition);
  return actor === undefined || actors === undefined || actors.includes(actor);
}
