import { builtInSource, type EntityOwner } from '@waybill/contracts/configuration/configuration-source';
import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';
import { type Definition, type EntityTarget, isTarget } from './entity-target.ts';

/** An entity of the platform's configuration, as it is stored. */
export interface StoredEntity {
  readonly entityType: EntityType;
  /** Decimal. */
  readonly id: string;
  readonly name: string;
  readonly source: EntityOwner;
  /** Its settings without passwords, and the name of its actor if it belongs to one. */
  readonly definition: Definition;
}

interface Kind {
  /** A member of its definitions that is derived from other entities. */
  readonly derived?: string;
  readonly table: string;
  readonly retires?: boolean;
  /** Whether its entities belong to an actor: all, none, or some. */
  readonly ofActor: 'all' | 'some' | 'none';
}

const kinds = {
  Cluster: { table: 'clusters', ofActor: 'none' },
  'Account Policy': { table: 'account_policies', ofActor: 'none' },
  'Storage Class': { table: 'storage_classes', retires: true, ofActor: 'none' },
  'Job Queue': { table: 'job_queues', ofActor: 'none' },
  'Workflow Template': { table: 'workflow_templates', retires: true, ofActor: 'none', derived: 'runs' },
  Role: { table: 'roles', ofActor: 'none' },
  'Internal User': { table: 'manager_users', ofActor: 'none' },
  Actor: { table: 'actors', ofActor: 'none' },
  'External User': { table: 'partner_users', ofActor: 'all' },
  VFS: { table: 'virtual_file_systems', retires: true, ofActor: 'all' },
  'Connection Contract': { table: 'connection_contracts', ofActor: 'all' },
  'Client Connection': { table: 'client_connections', ofActor: 'some' },
  'PGP Key': { table: 'pgp_keys', ofActor: 'some' },
  Contract: { table: 'contracts', ofActor: 'all' },
  'Access Test': { table: 'access_tests', ofActor: 'none' },
} as const satisfies Record<EntityType, Kind>;

/** What an entity was defined as. */
function definitionOf({ derived }: Kind): string {
  return derived === undefined ? 't.definition' : `t.definition - '${derived}' AS definition`;
}

/** A query of entities of all kinds, in their order. `condition` is SQL about one of them, `t`. */
function everyEntity(condition: (entityType: string, kind: Kind) => string): string {
  const parts = Object.entries<Kind>(kinds).map(
    ([entityType, kind], position) =>
      `SELECT ${position} AS position, '${entityType}' AS "entityType", t.id, t.name, t.source, ${definitionOf(kind)}
         FROM directory.${kind.table} t
        WHERE t.source IS DISTINCT FROM '${builtInSource}'${kind.retires ? ' AND t.retired_at IS NULL' : ''}
          AND (${condition(entityType, kind)})`,
  );
  return `SELECT "entityType", id::text, name, source, definition FROM (${parts.join(' UNION ALL ')}) entities
           ORDER BY position, entities.id`;
}

/** The entities that other owners than a source have, by kind and id. */
export async function readEntitiesOfOthers(db: Queryable, source: string): Promise<StoredEntity[]> {
  return queryRows<StoredEntity>(
    db,
    everyEntity(() => 't.source IS DISTINCT FROM :source'),
    { source },
  );
}

/** The entities that an owner has, by kind and id. */
export async function readEntitiesOf(db: Queryable, owner: EntityOwner): Promise<StoredEntity[]> {
  return queryRows<StoredEntity>(
    db,
    everyEntity(() => 't.source IS NOT DISTINCT FROM CAST(:owner AS text)'),
    { owner },
  );
}

/** The entities that belong to no actor, and those of some actors: of all, if none are named. By kind and id. */
export async function readEntitiesAround(db: Queryable, actors?: readonly string[]): Promise<StoredEntity[]> {
  const named = 'IN (SELECT jsonb_array_elements_text(CAST(:actors AS jsonb)))';
  const owned = `t.actor_id IN (SELECT id FROM directory.actors WHERE name ${named})`;
  const condition = (entityType: string, { ofActor }: Kind): string => {
    if (actors === undefined) return 'true';
    if (entityType === 'Actor') return `t.name ${named}`;
    if (ofActor === 'none') return 'true';
    return ofActor === 'all' ? owned : `t.actor_id IS NULL OR ${owned}`;
  };
  const bindings = actors === undefined ? {} : { actors: JSON.stringify(actors) };
  return queryRows<StoredEntity>(db, everyEntity(condition), bindings);
}

/** Which entities of a kind are listed, and from where. */
export interface EntityQuery {
  readonly entityType: EntityType;
  /** A name, in which `*` matches any sequence. */
  readonly name?: string | undefined;
  readonly actor?: string | undefined;
  /** Only what belongs to these actors, and the actors themselves. */
  readonly actors?: readonly string[] | undefined;
  /** An owner; `null`: the API. */
  readonly source?: EntityOwner | undefined;
  readonly descending: boolean;
  /** The last one of the page before. */
  readonly after?: { readonly name: string; readonly id: string } | undefined;
  readonly limit: number;
}

/** Entities of a kind by name and id, without the default queue of the platform itself. */
export async function listEntities(db: Queryable, query: EntityQuery): Promise<StoredEntity[]> {
  const { entityType, name, actor, actors, source, descending, after, limit } = query;
  const entityKind: Kind = kinds[entityType];
  const { table, retires } = entityKind;
  const conditions = [
    `source IS DISTINCT FROM '${builtInSource}'`,
    ...(retires ? ['retired_at IS NULL'] : []),
    ...(name === undefined ? [] : ['name LIKE :name']),
    ...(actor === undefined ? [] : ["definition->>'actor' = :actor"]),
    ...(actors === undefined
      ? []
      : [
          `${entityType === 'Actor' ? 'name' : "definition->>'actor'"} IN (SELECT jsonb_array_elements_text(CAST(:actors AS jsonb)))`,
        ]),
    ...(source === undefined ? [] : ['source IS NOT DISTINCT FROM CAST(:source AS text)']),
    ...(after ? [`(name COLLATE "C", id) ${descending ? '<' : '>'} (:afterName, CAST(:afterId AS bigint))`] : []),
  ];
  const direction = descending ? 'DESC' : 'ASC';
  return queryRows<StoredEntity>(
    db,
    `SELECT CAST(:entityType AS text) AS "entityType", id::text, name, source, ${definitionOf(entityKind)}
       FROM directory.${table} t
      WHERE ${conditions.join(' AND ')}
      ORDER BY name COLLATE "C" ${direction}, t.id ${direction} LIMIT :limit`,
    {
      entityType,
      name: name === undefined ? null : likePattern(name),
      actor: actor ?? null,
      actors: JSON.stringify(actors ?? []),
      source: source ?? null,
      afterName: after?.name ?? null,
      afterId: after?.id ?? null,
      limit,
    },
  );
}

function likePattern(name: string): string {
  return name.replaceAll(/[\\%_]/gu, '\\$&').replaceAll('*', '%');
}

/** One entity, unless it is retired. */
export async function readEntity(db: Queryable, target: EntityTarget): Promise<StoredEntity | undefined> {
  const { entityType, name } = target;
  const entityKind: Kind = kinds[entityType];
  const { table, retires } = entityKind;
  const rows = await queryRows<StoredEntity>(
    db,
    `SELECT CAST(:entityType AS text) AS "entityType", id::text, name, source, ${definitionOf(entityKind)}
       FROM directory.${table} t
      WHERE name = :name${retires ? ' AND retired_at IS NULL' : ''} ORDER BY t.id`,
    { entityType, name },
  );
  return rows.find((row) => isTarget(row, target));
}

/** Gives an entity to another owner. */
export async function setOwner(db: Queryable, { entityType, id }: StoredEntity, owner: EntityOwner): Promise<void> {
  const { table } = kinds[entityType];
  await queryRows(db, `UPDATE directory.${table} SET source = :owner WHERE id = CAST(:id AS bigint)`, { owner, id });
}
