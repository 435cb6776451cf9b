import type { Queryable } from '@waybill/postgres/database';

/** Runs SQL with `:name` bindings and returns its rows in the shape that the caller states. */
export async function queryRows<Row>(
  on: Queryable,
  sql: string,
  bindings: Readonly<Record<string, string | number | null>> = {},
): Promise<Row[]> {
  const { rows } = await on.raw<{ rows: Row[] }>(sql, bindings);
  return rows;
}

/**
 * The form in which names are stored; `undefined` if no entity can have this name, because PostgreSQL cannot store it.
 */
export function searchableName(name: string): string | undefined {
  return name.includes('\0') || !name.isWellFormed() ? undefined : name.normalize('NFC');
}
