import { builtInSource, type EntityOwner } from '@waybill/contracts/configuration/configuration-source';
import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import type { EarlierTime } from '@waybill/contracts/endpoints/administration/list-filters';
import type { SortSetting } from '@waybill/contracts/endpoints/administration/list-sorts';
import type { Queryable } from '@waybill/postgres/database';
import { likePattern } from '@waybill/postgres/like-pattern';
import { queryRows } from '../queries/query-rows.ts';
import type { Definition } from './entity-target.ts';
import { type ListOrder, listOrder, type SortValue } from './list-order.ts';
import {
  bindingsOfEntities,
  definitionOf,
  fromEntities,
  joinNoted,
  type Kind,
  kinds,
  type StoredEntity,
  timesOf,
} from './stored-entities.ts';

/** An entity in a list. */
export interface ListedEntity extends StoredEntity {
  readonly sortValue: SortValue;
}

/** Which entities of a kind are listed, and from where. */
export interface EntityQuery {
  readonly entityType: EntityType;
  /** A name, in which `*` matches any sequence. */
  readonly name?: string | undefined;
  readonly actor?: string | undefined;
  /** Only what belongs to these actors, and the actors themselves. */
  readonly actors?: readonly string[] | undefined;
  /** What the settings contain, one of several for each filter, and a setting that may also be absent. */
  readonly settings?: readonly { readonly contains: readonly object[]; readonly orAbsent?: string | undefined }[];
  /** What is noted of them that is earlier, or absent. */
  readonly earlier?: readonly EarlierTime[];
  /** An owner; `null`: the API. */
  readonly source?: EntityOwner | undefined;
  readonly descending: boolean;
  /** A setting by which they are sorted before their names, and its value where it is absent. */
  readonly sort?: SortSetting | undefined;
  /** The last one of the page before, with its value of `sort`; null: it had none. */
  readonly after?: { readonly name: string; readonly id: string; readonly value?: SortValue } | undefined;
  readonly limit: number;
}

/** Entities of a kind by name and id, without the default queue of the platform itself. */
export async function listEntities(db: Queryable, query: EntityQuery): Promise<ListedEntity[]> {
  const kind: Kind = kinds[query.entityType];
  const order = query.sort && listOrder(kind, query.sort, query.after?.value);
  return await listRows<ListedEntity>(db, query, {
    columns: `CAST(:entityType AS text) AS "entityType", id::text, name, source, ${definitionOf(kind)},
      ${timesOf(kind)} AS times, ${order?.shown ?? 'NULL'} AS "sortValue"`,
    listed: 't.id, t.name, t.source, t.definition',
    name: 'name',
    order,
  });
}

/** A part of an entity, as it is stored. */
export interface StoredPart {
  /** Of the entity, decimal. */
  readonly id: string;
  readonly name: string;
  readonly parent: string;
  readonly actor: string | null;
  readonly source: EntityOwner;
  readonly definition: Definition;
}

/** Parts of entities of a kind, which a setting lists, by their names and the ids of the entities. */
export async function listParts(
  db: Queryable,
  { setting, parent, ...query }: EntityQuery & { readonly setting: string; readonly parent?: string | undefined },
): Promise<StoredPart[]> {
  return await listRows<StoredPart>(db, query, {
    columns: `id::text, part ->> 'name' AS name, name AS parent, definition ->> 'actor' AS actor, source, part AS definition`,
    listed: 't.id, t.name, t.source, t.definition, part',
    name: `(part ->> 'name')`,
    from: `, jsonb_array_elements(coalesce(t.definition -> :setting, '[]')) part`,
    condition: parent === undefined ? 'true' : 'name = :parent',
    settings: 'part',
    bindings: { setting, ...(parent !== undefined && { parent }) },
  });
}

/** What a list of entities reads, and by which name. */
interface ListedRows {
  /** What is made of the rows `t` of the page. */
  readonly columns: string;
  /** What the rows consist of. */
  readonly listed: string;
  readonly name: string;
  readonly order?: ListOrder | undefined;
  readonly from?: string;
  /** Where their settings are: those of entities are in `definition`. */
  readonly settings?: string;
  readonly condition?: string;
  readonly bindings?: Readonly<Record<string, string>>;
}

/** The page is cut first: to show a row, and to look up what is noted of it, costs more than to find it. */
async function listRows<Row extends object>(
  db: Queryable,
  query: EntityQuery,
  {
    columns,
    listed,
    name: sorted,
    order,
    from = '',
    settings = 'definition',
    condition = 'true',
    bindings = {},
  }: ListedRows,
): Promise<Row[]> {
  const { entityType, descending, earlier = [] } = query;
  const kind: Kind = kinds[entityType];
  const conditions = [condition, ...conditionsOf(query, sorted, order), ...conditionsOfSettings(query, settings)];
  const direction = descending ? 'DESC' : 'ASC';
  const byName = `${sorted} COLLATE "C" ${direction}, t.id ${direction}`;
  const noted = joinNoted(kind);
  return queryRows<Row>(
    db,
    `SELECT ${columns} FROM (
       SELECT ${listed}${order ? `, ${order.value} AS sorted` : ''}
         FROM ${fromEntities(kind)}${order?.isNoted || earlier.length > 0 ? noted : ''}${from}
        WHERE ${conditions.join(' AND ')}
        ORDER BY ${order ? `sorted ${direction}, ` : ''}${byName} LIMIT :limit) t${noted}
      ORDER BY ${order ? `t.sorted ${direction}, ` : ''}${byName}`,
    { ...bindingsOf(query), ...order?.bindings, ...bindingsOfEntities(kind), ...bindings },
  );
}

function bindingsOf(query: EntityQuery): Record<string, string | number | null> {
  const { entityType, name, actor, actors = [], settings = [], earlier = [], source, after, limit } = query;
  return {
    entityType,
    name: name === undefined ? null : likePattern(name),
    actor: actor ?? null,
    actors: JSON.stringify(actors),
    source: source ?? null,
    afterName: after?.name ?? null,
    afterId: after?.id ?? null,
    limit,
    ...Object.fromEntries(
      settings.flatMap(({ contains, orAbsent = '' }, at) => [
        [`contains${at}`, JSON.stringify(contains)],
        [`absent${at}`, orAbsent],
      ]),
    ),
    ...Object.fromEntries(earlier.map(({ before }, at) => [`before${at}`, before.getTime() / 1_000])),
  };
}

/** The conditions of a list, in SQL. */
function conditionsOf(
  { entityType, name, actor, actors, earlier = [], source, descending, after }: EntityQuery,
  sorted: string,
  order: ListOrder | undefined,
): string[] {
  const kind: Kind = kinds[entityType];
  return [
    `source IS DISTINCT FROM '${builtInSource}'`,
    ...(kind.retires ? ['retired_at IS NULL'] : []),
    ...(name === undefined ? [] : [`${sorted} LIKE :name`]),
    ...(actor === undefined ? [] : [ofActors(kind, '= :actor')]),
    ...(actors === undefined ? [] : [entityType === 'Actor' ? `name ${named}` : ofActors(kind, named)]),
    ...earlier.map(({ name: time }, at) => {
      const column = `noted.${kind.noted?.times[time] ?? 'absent'}`;
      return `(${column} IS NULL OR ${column} < to_timestamp(:before${at}))`;
    }),
    ...(source === undefined ? [] : ['source IS NOT DISTINCT FROM CAST(:source AS text)']),
    ...(after ? [behind(sorted, { order, descending })] : []),
  ];
}

const named = 'IN (SELECT jsonb_array_elements_text(CAST(:actors AS jsonb)))';

/** Those that belong to an actor, or to some. The actors are looked up first, so that PostgreSQL knows that they are few. */
function ofActors({ ofActor }: Kind, name: '= :actor' | typeof named): string {
  if (ofActor === 'none') return 'false';
  const ids = `(SELECT id FROM directory.actors WHERE name ${name})`;
  return `t.actor_id = ${name === named ? `ANY (ARRAY ${ids})` : ids}`;
}

function conditionsOfSettings({ settings = [] }: EntityQuery, definition: string): string[] {
  return settings.map(({ orAbsent }, at) => {
    const contained = `${definition} @> ANY (ARRAY (SELECT jsonb_array_elements(CAST(:contains${at} AS jsonb))))`;
    return orAbsent === undefined ? contained : `(${contained} OR ${definition} -> :absent${at} IS NULL)`;
  });
}

/** Behind the last row of the page before. */
function behind(
  sorted: string,
  { order, descending }: { readonly order: ListOrder | undefined; readonly descending: boolean },
): string {
  const [own, last] = order ? [`${order.value}, `, `${order.last}, `] : ['', ''];
  return `(${own}${sorted} COLLATE "C", t.id) ${descending ? '<' : '>'} (${last}:afterName, CAST(:afterId AS bigint))`;
}
