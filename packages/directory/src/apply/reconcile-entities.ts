import { isDeepStrictEqual } from 'node:util';
import { builtInSource, type EntityOwner, ownerTitle } from '@waybill/contracts/configuration/configuration-source';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Transaction } from '@waybill/postgres/database';
import { type EntityTarget, isTarget } from '../sources/entity-target.ts';
import type { Change } from './change.ts';
import {
  entityKey,
  type EntityRow,
  type EntityTable,
  insertRows,
  keyOfRow,
  readRows,
  removeRows,
  updateRows,
  type WrittenColumns,
} from './entity-rows.ts';

/** The transaction in which a configuration is applied, and who owns what it contains. */
export interface Applying {
  readonly trx: Transaction;
  readonly source: EntityOwner;
  /** Who applies it. */
  readonly by?: string;
  /** Set if the configuration contains nothing but one entity, or its absence: then no other is looked at. */
  readonly only?: OnlyEntity;
}

/** The single entity that is written. */
export interface OnlyEntity {
  readonly target: EntityTarget;
  /** Every name that the configuration mentions: what the entity refers to is among them. */
  readonly mentioned: readonly string[];
  /** The actor that it belongs to, before the change or after it. */
  readonly actor?: string | undefined;
}

/** The desired state of an entity. */
export interface WantedEntity {
  readonly name: string;
  /** Required for a scoped kind. */
  readonly actorId?: string;
  /** The settings in the configuration, without passwords. Compared with the previous ones. */
  readonly definition: object;
  /** The columns for searches and joins, derived from `definition`. */
  readonly columns?: Readonly<Record<string, string | number | boolean | readonly string[] | null>>;
  /** Only for users: the hash of the password in the configuration. Compared with the last configured one. */
  readonly passwordHash?: string | null;
}

/** The table and the rules of one kind of entities. */
export interface EntityKind extends EntityTable {
  /** Settings that are stored and audited like others, but whose change alone does not make an entity `rewritten`. */
  readonly inert?: readonly string[];
  /** Throws if one of the entities must not be removed. */
  readonly beforeRemoval?: (entities: readonly { id: string; name: string }[]) => Promise<void>;
}

/**
 * An entity of the new configuration. `rewritten`: it is new or its definition has changed, so its parts must be
 * written; a change of `inert` settings does not count.
 */
export interface Reconciled {
  readonly id: string;
  readonly rewritten: boolean;
  /** It did not exist before, not even retired. */
  readonly isNew?: boolean;
}

/** The entities of a kind by `entityKey`, and the changes. */
export interface Reconciliation {
  readonly entities: ReadonlyMap<string, Reconciled>;
  readonly changes: readonly Change[];
}

/**
 * Makes the rows of a kind that the source owns equal to its configuration: removes first, then creates and modifies.
 * Writes only differences. Rows of other owners stay as they are, and can be referred to.
 * @throws CodedError `configuration_invalid` for an entity that another owner has
 */
export async function reconcileEntities(
  applying: Applying,
  kind: EntityKind,
  entities: readonly WantedEntity[],
): Promise<Reconciliation> {
  const wanted = entities.map((entity) => ({ ...entity, definition: asJson(entity.definition) }));
  return await reconcileWanted(applying, kind, wanted);
}

/** An entity with its definition as the database returns it. */
type Wanted = WantedEntity & { readonly definition: Record<string, unknown> };

async function reconcileWanted(
  applying: Applying,
  kind: EntityKind,
  wanted: readonly Wanted[],
): Promise<Reconciliation> {
  const { trx, source, only } = applying;
  const rows = await readRows(trx, kind, only?.mentioned);
  const existing = new Map(rows.map((row) => [keyOfRow(kind, row), row]));
  const wantedKeys = new Set(wanted.map(({ name, actorId }) => entityKey(name, actorId)));
  const isUnwanted = (row: EntityRow): boolean => decides(applying, kind, row) && !wantedKeys.has(keyOfRow(kind, row));
  const removed = rows.filter((row) => isUnwanted(row) && !row.retired_at);
  if (removed.length > 0) await kind.beforeRemoval?.(removed);
  const created = wanted.filter(({ name, actorId }) => !existing.has(entityKey(name, actorId)));
  const modified = wanted.flatMap((entity) => {
    const row = existing.get(entityKey(entity.name, entity.actorId));
    return row ? [modificationOf(source, kind, row, entity)] : [];
  });

  const removedIds = removed.map(({ id }) => id);
  await removeRows(trx, kind, removedIds);
  await updateRows(
    trx,
    kind,
    modified.flatMap(({ update }) => (update ? [update] : [])),
  );
  const newRows = created.map((entity) => ({ name: entity.name, source, ...valuesOf(entity), ...passwordOf(entity) }));
  const newIds = await insertRows(trx, kind, newRows);

  const stays = rows.filter((row) => !isUnwanted(row));
  const entities = new Map<string, Reconciled>(
    stays.map((row) => [keyOfRow(kind, row), { id: row.id, rewritten: false }]),
  );
  const changes: Change[] = removed.map((row) => ({ ...changeOf(kind, row, 'deleted'), definition: row.definition }));
  const modifications = new Map(modified.map((modification) => [modification.key, modification]));
  for (const entity of wanted) {
    const key = entityKey(entity.name, entity.actorId);
    const { change, ...reconciled } = modifications.get(key) ?? creationOf(kind, entity, newIds.get(key));
    entities.set(key, { id: reconciled.id, rewritten: reconciled.rewritten, isNew: newIds.has(key) });
    if (change) changes.push(change);
  }
  return { entities, changes };
}

/** Whether an entity goes if the configuration does not name it. */
function decides({ source, only }: Applying, { entityType }: EntityKind, row: EntityRow): boolean {
  return only ? isTarget({ entityType, ...row }, only.target) : row.source === source;
}

type Outcome = Reconciled & { readonly change: Change | undefined };

function creationOf(kind: EntityKind, { name, definition }: Wanted, id: string | undefined): Outcome {
  if (id === undefined) throw new Error(`no row came back for ${kind.entityType} ${name}`);
  return {
    id,
    rewritten: true,
    change: { ...changeOf(kind, { id, name }, 'created'), definition },
  };
}

interface Modification extends Outcome {
  readonly key: string;
  /** The columns to write, if any. */
  readonly update: (WrittenColumns & { readonly id: string }) | undefined;
}

function modificationOf(source: EntityOwner, kind: EntityKind, row: EntityRow, entity: Wanted): Modification {
  const definitions = { before: row.definition, after: entity.definition };
  const differing = differences(definitions.before, definitions.after);
  const newPassword = entity.passwordHash !== undefined && entity.passwordHash !== row.configured_password_hash;
  const fields = newPassword ? [...differing, 'password'] : differing;
  const revived = Boolean(row.retired_at);
  const claimed = row.source !== source;
  if (claimed && !revived && row.source !== builtInSource) refuseOther(kind, row);
  const columns = {
    id: row.id,
    ...valuesOf(entity),
    source,
    ...(newPassword ? passwordOf(entity) : {}),
    ...(kind.retires ? { retired_at: null } : {}),
  };
  const modified = fields.length > 0 ? { ...changeOf(kind, row, 'modified'), fields, definitions } : undefined;
  return {
    key: keyOfRow(kind, row),
    update: fields.length > 0 || revived || claimed ? columns : undefined,
    id: row.id,
    rewritten: differing.some((field) => !kind.inert?.includes(field)),
    change: revived ? { ...changeOf(kind, row, 'created'), definition: definitions.after } : modified,
  };
}

function refuseOther({ entityType }: EntityKind, { name, source }: EntityRow): never {
  const message = `${entityType} ${name} belongs to ${ownerTitle(source)}`;
  throw new CodedError('configuration_invalid', { detail: message });
}

function valuesOf({ definition, columns, actorId }: Wanted): WrittenColumns {
  return {
    ...columns,
    definition,
    ...(actorId === undefined ? {} : { actor_id: actorId }),
  };
}

function passwordOf({ passwordHash }: WantedEntity): WrittenColumns {
  return passwordHash === undefined ? {} : { password_hash: passwordHash, configured_password_hash: passwordHash };
}

function differences(before: Record<string, unknown>, after: Record<string, unknown>): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (field) => !isDeepStrictEqual(before[field], after[field]),
  );
}

/** The definition as the database returns it: without undefined members. */
function asJson(definition: object): Record<string, unknown> {
  return JSON.parse(JSON.stringify(definition)) as Record<string, unknown>;
}

function changeOf(
  { entityType }: EntityKind,
  { id, name }: { id: string; name: string },
  change: Change['change'],
): Change {
  return { change, entityType, entityName: name, entityId: id, fields: [] };
}

/** The id of an entity to which another one refers. Its existence was checked when the configuration was parsed. */
export function referenceTo({ entities }: Reconciliation, key: string): string {
  const entity = entities.get(key);
  if (!entity) throw new Error(`an unchecked reference has no target: ${key}`);
  return entity.id;
}
