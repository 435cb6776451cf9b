import type { Transaction } from '@waybill/postgres/database';
import { insertRecords, portionsOf } from './entity-rows.ts';

type Row = Readonly<Record<string, string | number | boolean | null>>;

/** Replaces all rows of `table` that belong to some owners, whose ids are in the column `owner`. */
export async function replaceParts(
  trx: Transaction,
  table: string,
  owner: string,
  parts: readonly { readonly id: string; readonly isNew?: boolean | undefined; readonly rows: readonly Row[] }[],
): Promise<void> {
  const former = parts.filter(({ isNew }) => !isNew).map(({ id }) => id);
  for (const ids of portionsOf(former)) await trx(`directory.${table}`).whereIn(owner, ids).delete();
  const rows = parts.flatMap(({ id, rows: ofOwner }) => ofOwner.map((row) => ({ [owner]: id, ...row })));
  await insertRecords(trx, { table, rows, returning: [] });
}
