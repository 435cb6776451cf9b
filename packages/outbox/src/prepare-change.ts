import { prepareStatement, type PreparedStatement } from '@waybill/postgres/prepared-statement';
import { appendMessagesSql } from './message-rows.ts';

/**
 * A change of rows for `appendWithChange`: one `UPDATE`, `INSERT` or `DELETE` without a parameter named `messages`.
 * @param options.onlyIfMade appends nothing if no row was changed; by default the messages are appended anyway
 */
export function prepareChange(name: string, sql: string, { onlyIfMade = false } = {}): PreparedStatement {
  const condition = onlyIfMade ? ' WHERE EXISTS (SELECT FROM change)' : '';
  return prepareStatement(
    name,
    `WITH change AS (${sql} RETURNING true) ${appendMessagesSql}${condition} RETURNING topic`,
  );
}
