import { builtInSource, type EntityOwner, platformOwner } from '@waybill/contracts/configuration/configuration-source';
import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import { localStorageClass } from '@waybill/contracts/configuration/storage-class';
import { builtInRoles } from '@waybill/contracts/roles/built-in-roles';
import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';
import { readSources } from './applied-source.ts';
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
  /** What the platform notes of it, where that is read: no part of the configuration. */
  readonly times?: Readonly<Record<string, string>>;
  /** The file that its source has applied last, where that is read. */
  readonly file?: string | null;
}

/** How entities of a kind are stored. */
export interface Kind {
  /** A member of its definitions that is derived from other entities. */
  readonly derived?: string;
  readonly table: string;
  readonly retires?: boolean;
  /** The definitions of entities that are built in: they are not stored, and are read one by one and in lists only. */
  readonly builtIn?: readonly Definition[];
  /** Whether its entities belong to an actor: all, none, or some. */
  readonly ofActor: 'all' | 'some' | 'none';
  /** What is noted of its entities, by name, and its column in the table with a row for an entity of which something is noted. */
  readonly noted?: { readonly table: string; readonly key: string; readonly times: Readonly<Record<string, string>> };
}

/** The kinds of entities, in the order in which they refer to each other. */
export const kinds = {
  Cluster: { table: 'clusters', ofActor: 'none' },
  'Account Policy': { table: 'account_policies', ofActor: 'none' },
  'Storage Class': {
    table: 'storage_classes',
    retires: true,
    ofActor: 'none',
    builtIn: [{ name: localStorageClass, type: 'local' }],
  },
  'Job Queue': { table: 'job_queues', ofActor: 'none' },
  'Workflow Template': { table: 'workflow_templates', retires: true, ofActor: 'none', derived: 'runs' },
  Role: {
    table: 'roles',
    ofActor: 'none',
    builtIn: Object.entries(builtInRoles).map(([name, role]) => ({ name, ...role })),
  },
  'Internal User': { table: 'manager_users', ofActor: 'none' },
  Actor: { table: 'actors', ofActor: 'none' },
  'External User': {
    table: 'partner_users',
    ofActor: 'all',
    noted: { table: 'user_logins', key: 'user_id', times: { lastLoginAt: 'last_login_at' } },
  },
  Group: { table: 'user_groups', ofActor: 'all' },
  VFS: { table: 'virtual_file_systems', retires: true, ofActor: 'all' },
  'Connection Contract': { table: 'connection_contracts', ofActor: 'all' },
  'Client Connection': { table: 'client_connections', ofActor: 'some' },
  'PGP Key': { table: 'pgp_keys', ofActor: 'some' },
  Contract: { table: 'contracts', ofActor: 'all' },
  'Access Test': { table: 'access_tests', ofActor: 'none' },
} as const satisfies Record<EntityType, Kind>;

/** For each kind a query with a row for each of its entities. */
export const rowsOfEntities: readonly string[] = Object.values<Kind>(kinds).map(
  ({ table, retires }) => `SELECT 1 FROM directory.${table}${retires ? ' WHERE retired_at IS NULL' : ''}`,
);

/** What an entity was defined as. */
export function definitionOf({ derived }: Kind): string {
  return derived === undefined ? 't.definition' : `t.definition - '${derived}' AS definition`;
}

/** What is noted of an entity, as JSON without what is absent, as a column of a row of `from`. */
export function timesOf({ noted }: Kind): string {
  const members = Object.entries(noted?.times ?? {}).map(
    ([name, column]) => `'${name}', ${timeText(`noted.${column}`)}`,
  );
  return `jsonb_strip_nulls(jsonb_build_object(${members.join(', ')}))`;
}

/** A time in the form of `toISOString`. */
export function timeText(time: string): string {
  return `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
}

/** What is noted of entities `t`, as a join. */
export function joinNoted({ noted }: Kind): string {
  return noted ? ` LEFT JOIN directory.${noted.table} noted ON noted.${noted.key} = t.id` : '';
}

/** Entities of a kind, `t`, with those that are built in. Needs `bindingsOfEntities`. */
export function fromEntities({ table, builtIn, retires }: Kind): string {
  const rows =
    builtIn &&
    `(SELECT id, name, source, definition${retires ? ', retired_at' : ''} FROM directory.${table}
       UNION ALL SELECT 0, built_in ->> 'name', '${platformOwner}', built_in${retires ? ', NULL' : ''}
         FROM jsonb_array_elements(CAST(:builtIn AS jsonb)) built_in)`;
  return `${rows ?? `directory.${table}`} t`;
}

/** The bindings of the SQL of `fromEntities`. */
export function bindingsOfEntities({ builtIn }: Kind): { builtIn?: string } {
  return builtIn === undefined ? {} : { builtIn: JSON.stringify(builtIn) };
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

/** The entities that other owners than a source have, with their files, by kind and id. */
export async function readEntitiesOfOthers(db: Queryable, source: string): Promise<StoredEntity[]> {
  const entities = await queryRows<StoredEntity>(
    db,
    everyEntity(() => 't.source IS DISTINCT FROM :source'),
    { source },
  );
  if (entities.every((entity) => entity.source === null)) return entities;
  const files = new Map((await readSources(db)).map((applied) => [applied.source, applied.file]));
  return entities.map((entity) => ({ ...entity, file: files.get(entity.source ?? '') ?? null }));
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

/** One entity, unless it is retired. */
export async function readEntity(db: Queryable, target: EntityTarget): Promise<StoredEntity | undefined> {
  const { entityType, name } = target;
  const entityKind: Kind = kinds[entityType];
  const { retires } = entityKind;
  const rows = await queryRows<StoredEntity>(
    db,
    `SELECT CAST(:entityType AS text) AS "entityType", id::text, name, source, ${definitionOf(entityKind)},
            ${timesOf(entityKind)} AS times
       FROM ${fromEntities(entityKind)}${joinNoted(entityKind)}
      WHERE name = :name${retires ? ' AND retired_at IS NULL' : ''} ORDER BY t.id`,
    { entityType, name, ...bindingsOfEntities(entityKind) },
  );
  return rows.find((row) => isTarget(row, target));
}

/** Gives an entity to another owner. */
export async function setOwner(db: Queryable, { entityType, id }: StoredEntity, owner: EntityOwner): Promise<void> {
  const { table } = kinds[entityType];
  await queryRows(db, `UPDATE directory.${table} SET source = :owner WHERE id = CAST(:id AS bigint)`, { owner, id });
}
