import type { LegacyAlgorithm } from '@waybill/contracts/configuration/legacy-algorithm';
import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from './query-rows.ts';

/** The old SSH algorithms that at least one enabled user may still use, by name. */
export async function findLegacyAlgorithms(on: Queryable): Promise<LegacyAlgorithm[]> {
  const rows = await queryRows<{ name: LegacyAlgorithm }>(
    on,
    `SELECT DISTINCT jsonb_array_elements_text(definition #> '{legacyAlgorithms,allow}') AS name
       FROM directory.partner_users
      WHERE enabled AND (definition #>> '{legacyAlgorithms,until}')::timestamptz > now()
      ORDER BY name`,
  );
  return rows.map(({ name }) => name);
}
