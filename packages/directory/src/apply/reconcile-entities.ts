import { isDeepStrictEqual } from 'node:util';
import type { Transaction } from '@waybill/postgres/database';
import type { Change, EntityType } from './change.ts';

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
export interface EntityKind {
  readonly entityType: EntityType;
  readonly table: string;
  /** Names are unique within an actor: the same name under another actor is another entity. */
  readonly scoped?: boolean;
  /** Removed rows are kept, and can be restored with their ids. */
  readonly retires?: boolean;
  /** Throws if an entity must not be removed. */
  readonly beforeRemoval?: (entity: { id: string; name: string }) => Promise<void>;
}

/**
 * An entity of the new configuration. `rewritten`: it is new or its definition has changed, so its parts must be
 * written.
 */
export interface Reconciled {
  readonly id: string;
  readonly rewritten: boolean;
}

/** The entities of a kind by `entityKey`, and the changes. */
export interface Reconciliation {
  readonly entities: ReadonlyMap<string, Reconciled>;
  readonly changes: readonly Change[];
}

interface EntityRow {
  id: string;
  name: string;
  actor_id?: string | null;
  password_hash?: string | null;
  configured_password_hash?: string | null;
  retired_at?: Date | null;
  definition: Record<string, unknown>;
}

/** The identity of an entity among those of its kind. */
export function entityKey(name: string, actorId?: string | null): string {
  return actorId === undefined ? name : `${actorId ?? ''}/${name}`;
}

/**
 * Makes the rows of a kind equal to the configuration: removes first, then creates and modifies. Writes only
 * differences.
 */
export async function reconcileEntities(
  trx: Transaction,
  kind: EntityKind,
  wanted: readonly WantedEntity[],
): Promise<Reconciliation> {
  const rows = await rowsOf(trx, kind).select('*').orderBy('id');
  const keyOf = (row: EntityRow): string => entityKey(row.name, kind.scoped ? (row.actor_id ?? null) : undefined);
  const existing = new Map(rows.map((row) => [keyOf(row), row]));
  const wantedKeys = new Set(wanted.map(({ name, actorId }) => entityKey(name, actorId)));
  const entities = new Map<string, Reconciled>();
  const changes: Change[] = [];
  for (const row of rows) {
    if (!wantedKeys.has(keyOf(row)) && !row.retired_at) changes.push(await remove(trx, kind, row));
  }
  for (const entity of wanted) {
    const key = entityKey(entity.name, entity.actorId);
    const row = existing.get(key);
    const { change, ...reconciled } = row ? await modify(trx, kind, row, entity) : await create(trx, kind, entity);
    entities.set(key, reconciled);
    if (change) changes.push(change);
  }
  return { entities, changes };
}

type Outcome = Reconciled & { readonly change: Change | undefined };

async function remove(trx: Transaction, kind: EntityKind, row: EntityRow): Promise<Change> {
  await kind.beforeRemoval?.(row);
  const one = rowsOf(trx, kind).where({ id: row.id });
  if (kind.retires) await one.update({ retired_at: trx.fn.now() });
  else await one.delete();
  return { ...changeOf(kind, row, 'deleted'), definition: row.definition };
}

async function create(trx: Transaction, kind: EntityKind, entity: WantedEntity): Promise<Outcome> {
  const [row] = await rowsOf(trx, kind)
    .insert({ name: entity.name, ...valuesOf(entity), ...passwordOf(entity) })
    .returning(['id']);
  if (!row) throw new Error(`no row came back for ${kind.entityType} ${entity.name}`);
  const change = changeOf(kind, { id: row.id, name: entity.name }, 'created');
  return { id: row.id, rewritten: true, change: { ...change, definition: asJson(entity.definition) } };
}

async function modify(trx: Transaction, kind: EntityKind, row: EntityRow, entity: WantedEntity): Promise<Outcome> {
  const definitions = { before: row.definition, after: asJson(entity.definition) };
  const differing = differences(definitions.before, definitions.after);
  const newPassword = entity.passwordHash !== undefined && entity.passwordHash !== row.configured_password_hash;
  const fields = newPassword ? [...differing, 'password'] : differing;
  const revived = Boolean(row.retired_at);
  if (fields.length > 0 || revived) {
    await rowsOf(trx, kind)
      .where({ id: row.id })
      .update({
        ...valuesOf(entity),
        ...(newPassword ? passwordOf(entity) : {}),
        ...(kind.retires ? { retired_at: null } : {}),
      });
  }
  const modified = fields.length > 0 ? { ...changeOf(kind, row, 'modified'), fields, definitions } : undefined;
  return {
    id: row.id,
    rewritten: differing.length > 0,
    change: revived ? { ...changeOf(kind, row, 'created'), definition: definitions.after } : modified,
  };
}

function rowsOf(trx: Transaction, { table }: EntityKind) {
  return trx<EntityRow>(`directory.${table}`);
}

function valuesOf({ definition, columns, actorId }: WantedEntity): Partial<EntityRow> {
  return {
    ...columns,
    definition: asJson(definition),
    ...(actorId === undefined ? {} : { actor_id: actorId }),
  };
}

function passwordOf({ passwordHash }: WantedEntity): Partial<EntityRow> {
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
