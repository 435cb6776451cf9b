import { prepareStatement, type PreparedStatement } from '@waybill/postgres/prepared-statement';
import { appendMessagesSql } from './message-rows.ts';

/** A change of rows for `appendWithChange`: one `UPDATE`, `INSERT` or `DELETE` without a parameter named `messages`. */
export function prepareChange(name: string, sql: string): PreparedStatement {
  return prepareStatement(name, `WITH change AS (${sql}) ${appendMessagesSql}`);
}
