import type { Transaction } from '@waybill/postgres/database';

type Value = string | number | boolean | null;

/** Replaces all rows of `table` that belong to `owner` by `rows`. */
export async function replaceParts(
  trx: Transaction,
  table: string,
  owner: Readonly<Record<string, string>>,
  rows: readonly Readonly<Record<string, Value>>[],
): Promise<void> {
  await trx(`directory.${table}`).where(owner).delete();
  if (rows.length > 0) await trx(`directory.${table}`).insert(rows.map((row) => ({ ...owner, ...row })));
}
