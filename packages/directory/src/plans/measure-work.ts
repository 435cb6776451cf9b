import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';
import { rowsOfEntities } from '../sources/stored-entities.ts';
import type { ChangeCounts } from './stored-plan.ts';

/** How large a plan is: its compressed bytes, and the entities that it changes. Nothing if there is none, or if it was applied. */
export async function measurePlan(
  on: Queryable,
  id: string,
): Promise<{ readonly bytes: number; readonly changes: number }> {
  const [row] = await queryRows<{ bytes: number | null; counts: ChangeCounts }>(
    on,
    'SELECT octet_length(content) AS bytes, counts FROM directory.configuration_plans WHERE id = CAST(:id AS uuid)',
    { id },
  );
  if (!row) return { bytes: 0, changes: 0 };
  const { created, modified, deleted } = row.counts;
  return { bytes: row.bytes ?? 0, changes: created + modified + deleted };
}

/** How many entities the platform has; `most` if it has more. */
export async function countEntitiesUpTo(db: Queryable, most: number): Promise<number> {
  const all = rowsOfEntities.join(' UNION ALL ');
  const [row] = await queryRows<{ count: number }>(
    db,
    `SELECT CAST(count(*) AS int) AS count FROM (SELECT 1 FROM (${all}) entities LIMIT :most) counted`,
    { most },
  );
  return row?.count ?? 0;
}
