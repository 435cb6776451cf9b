import type { Queryable } from '@waybill/postgres/database';
import type { VfsRetention } from '../directory.ts';
import { queryRows } from './query-rows.ts';

interface RetentionRow {
  id: string;
  retention: { hoursAfterPut?: number; hoursAfterGet?: number };
}

/** The configured retention, by VFS. */
export async function findRetention(on: Queryable): Promise<VfsRetention[]> {
  const rows = await queryRows<RetentionRow>(
    on,
    `SELECT id, definition -> 'retention' AS retention FROM directory.virtual_file_systems
     WHERE retired_at IS NULL AND definition -> 'retention' IS NOT NULL ORDER BY id`,
  );
  return rows.map(({ id, retention: { hoursAfterPut, hoursAfterGet } }) => ({
    vfsId: id,
    hoursAfterPut,
    hoursAfterGet,
  }));
}
