import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';

/** Whether the account policy demands a second factor of manager users. */
export async function isSecondFactorRequired(on: Queryable): Promise<boolean> {
  const rows = await queryRows(
    on,
    `SELECT FROM directory.account_policies WHERE name = 'default' AND definition ->> 'secondFactor' = 'required'`,
  );
  return rows.length > 0;
}
