import type { EntityOwner } from '@waybill/contracts/configuration/configuration-source';
import type { EntityType } from '@waybill/contracts/configuration/entity-type';
import type { Transaction } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';

/** How many rows a statement writes: few statements for many entities, of a bounded size. */
const rowsPerStatement = 500;

/** The table of a kind of entities, and its rules. */
export interface EntityTable {
  readonly entityType: EntityType;
  readonly table: string;
  /** Names are unique within an actor: the same name under another actor is another entity. */
  readonly scoped?: boolean;
  /** Removed rows are kept, and can be restored with their ids. */
  readonly retires?: boolean;
}

/** An entity as it is stored. */
export interface EntityRow {
  id: string;
  name: string;
  source: EntityOwner;
  actor_id?: string | null;
  password_hash?: string | null;
  configured_password_hash?: string | null;
  retired_at?: Date | null;
  definition: Record<string, unknown>;
}

/** The columns of an entity that are written. Columns of JSON have JSON as text, except the definition. */
export type WrittenColumns = Readonly<Record<string, unknown>>;

/** The identity of an entity among those of its kind. */
export function entityKey(name: string, actorId?: string | null): string {
  return actorId === undefined ? name : `${actorId ?? ''}/${name}`;
}

/** The identity of a stored entity. */
export function keyOfRow({ scoped }: EntityTable, row: Pick<EntityRow, 'name' | 'actor_id'>): string {
  return entityKey(row.name, scoped ? (row.actor_id ?? null) : undefined);
}

/** The rows of a kind, by id: all, or those with some names. */
export async function readRows(trx: Transaction, kind: EntityTable, names?: readonly string[]): Promise<EntityRow[]> {
  const rows = rowsOf(trx, kind).select('*').orderBy('id');
  return names ? await rows.whereIn('name', names) : await rows;
}

/** Inserts rows, and returns their ids by their keys. */
export async function insertRows(
  trx: Transaction,
  kind: EntityTable,
  rows: readonly WrittenColumns[],
): Promise<ReadonlyMap<string, string>> {
  const { table, scoped } = kind;
  const returning = ['id', 'name', ...(scoped ? ['actor_id'] : [])];
  const returned = await insertRecords<Pick<EntityRow, 'id' | 'name' | 'actor_id'>>(trx, { table, rows, returning });
  return new Map(returned.map((row) => [keyOfRow(kind, row), row.id]));
}

/**
 * Inserts rows, each portion as one JSON text: one binding for each value would cost more than the values. A column that some rows
 * have and others do not is null in these. Returns the columns of `returning`.
 */
export async function insertRecords<Returned>(
  trx: Transaction,
  { table, rows, returning }: { table: string; rows: readonly WrittenColumns[]; returning: readonly string[] },
): Promise<Returned[]> {
  if (rows.length === 0) return [];
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const jsonColumns = await jsonColumnsOf(trx, table, names);
  const returned: Returned[] = [];
  for (const some of portionsOf(rows)) {
    const inserted = await queryRows<Returned>(
      trx,
      `INSERT INTO directory.${table} (${names.join(', ')})
       SELECT ${names.map((name) => `written.${name}`).join(', ')} FROM ${recordsOf(table)} AS written
       ${returning.length > 0 ? `RETURNING ${returning.join(', ')}` : ''}`,
      { records: JSON.stringify(some.map((row) => withJson(row, jsonColumns))) },
    );
    for (const row of inserted) returned.push(row);
  }
  return returned;
}

/** The rows of a table that the binding `records` has as JSON, in their order. */
function recordsOf(table: string): string {
  return `jsonb_populate_recordset(CAST(NULL AS directory.${table}), CAST(:records AS jsonb))`;
}

/** Updates rows by their ids. Those with the same columns are written together. */
export async function updateRows(
  trx: Transaction,
  { table }: EntityTable,
  rows: readonly (WrittenColumns & { readonly id: string })[],
): Promise<void> {
  for (const [columns, alike] of Map.groupBy(rows, (row) => Object.keys(row).toSorted().join(','))) {
    const names = columns.split(',').filter((name) => name !== 'id');
    const jsonColumns = await jsonColumnsOf(trx, table, names);
    for (const some of portionsOf(alike)) {
      const records = some.map((row) => withJson(row, jsonColumns));
      await queryRows(
        trx,
        `UPDATE directory.${table} AS stored SET ${names.map((name) => `${name} = written.${name}`).join(', ')}
           FROM ${recordsOf(table)} AS written
          WHERE stored.id = written.id`,
        { records: JSON.stringify(records) },
      );
    }
  }
}

/** Removes rows, or retires them. */
export async function removeRows(trx: Transaction, kind: EntityTable, ids: readonly string[]): Promise<void> {
  for (const some of portionsOf(ids)) {
    const rows = rowsOf(trx, kind).whereIn('id', some);
    if (kind.retires) await rows.update({ retired_at: trx.fn.now() });
    else await rows.delete();
  }
}

/** Divides a list into portions for one statement each. */
export function portionsOf<Item>(items: readonly Item[]): Item[][] {
  const count = Math.ceil(items.length / rowsPerStatement);
  return Array.from({ length: count }, (_, at) => items.slice(at * rowsPerStatement, (at + 1) * rowsPerStatement));
}

/** Which of these columns hold JSON, besides the definition. */
async function jsonColumnsOf(trx: Transaction, table: string, names: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await queryRows<{ name: string }>(
    trx,
    `SELECT attname AS name FROM pg_attribute WHERE attrelid = CAST(:table AS regclass) AND atttypid = 'jsonb'::regtype`,
    { table: `directory.${table}` },
  );
  return new Set(rows.map(({ name }) => name).filter((name) => names.includes(name)));
}

function withJson(row: WrittenColumns, jsonColumns: ReadonlySet<string>): WrittenColumns {
  const parsed = Object.entries(row).map(([name, value]): [string, unknown] => [
    name,
    jsonColumns.has(name) && typeof value === 'string' ? (JSON.parse(value) as unknown) : value,
  ]);
  return Object.fromEntries(parsed);
}

function rowsOf(trx: Transaction, { table }: EntityTable) {
  return trx<EntityRow>(`directory.${table}`);
}
