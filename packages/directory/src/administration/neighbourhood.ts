import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import type { Transaction } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';
import { type EntityTarget, isTarget } from '../sources/entity-target.ts';
import { readEntitiesAround, type StoredEntity } from '../sources/stored-entities.ts';

/** Kinds without an actor that any actor may use. */
const shared: ReadonlySet<EntityType> = new Set<EntityType>([
  'Cluster',
  'Account Policy',
  'Storage Class',
  'Job Queue',
  'Workflow Template',
  'Client Connection',
  'PGP Key',
]);

/**
 * The entities that a change of one entity could break, or that it could refer to: all that belong to no actor, and those of
 * the actors concerned. Without the entity itself.
 * @param mentioned every name in its new settings
 */
export async function readNeighbourhood(
  trx: Transaction,
  target: EntityTarget,
  { stored, mentioned }: { stored: StoredEntity | undefined; mentioned: readonly string[] },
): Promise<StoredEntity[]> {
  // What is new is not used yet.
  const concernsAll = stored !== undefined && shared.has(target.entityType) && stored.definition['actor'] === undefined;
  const actors = concernsAll ? undefined : await actorsConcerned(trx, target, mentioned);
  const around = await readEntitiesAround(trx, actors);
  return around.filter((entity) => !isTarget(entity, target));
}

/**
 * The actors that the settings name, those whose VFSs they name, those whose contracts reach the VFS, and those whose contracts,
 * connections or keys the steps of a workflow name.
 */
async function actorsConcerned(
  trx: Transaction,
  { entityType, name }: EntityTarget,
  mentioned: readonly string[],
): Promise<string[]> {
  const rows = await queryRows<{ name: string }>(
    trx,
    `SELECT a.name FROM directory.actors a
      WHERE a.name IN (SELECT jsonb_array_elements_text(CAST(:mentioned AS jsonb)))
         OR a.id IN (SELECT v.actor_id FROM directory.virtual_file_systems v
                      WHERE v.retired_at IS NULL
                        AND v.name IN (SELECT jsonb_array_elements_text(CAST(:mentioned AS jsonb))))
         OR (:entityType = 'Workflow Template' AND a.id IN (
              SELECT o.actor_id FROM (SELECT actor_id, name FROM directory.contracts
                                UNION ALL SELECT actor_id, name FROM directory.client_connections
                                UNION ALL SELECT actor_id, name FROM directory.pgp_keys) o
               WHERE o.name IN (SELECT jsonb_array_elements_text(CAST(:mentioned AS jsonb)))))
         OR (:entityType = 'VFS' AND a.id IN (
              SELECT k.actor_id FROM directory.contracts k JOIN directory.contract_actions c ON c.contract_id = k.id
               WHERE c.grants @> jsonb_build_array(jsonb_build_object('vfs', CAST(:name AS text)))))`,
    { mentioned: JSON.stringify(mentioned), entityType, name },
  );
  return rows.map((row) => row.name);
}
