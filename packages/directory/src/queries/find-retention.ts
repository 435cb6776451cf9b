import type { Queryable } from '@waybill/postgres/database';
import type { VfsRetention } from '../directory.ts';
import { queryRows } from './query-rows.ts';

interface RetentionRow {
  id: string;
  retention: { hoursAfterPut?: number; hoursAfterGet?: number };
}

/** The configured retention, by VFS. */
export async function findRetention(on: Queryable): Promise<VfsRetention[]> {
  return (await queryRows<RetentionRow>(on, `${retentionSql} ORDER BY id`)).map(retentionOf);
}

/** The configured retention of one VFS. */
export async function findRetentionOf(on: Queryable, vfsId: string): Promise<VfsRetention | undefined> {
  const [row] = await queryRows<RetentionRow>(on, `${retentionSql} AND id = :vfsId`, { vfsId });
  return row && retentionOf(row);
}

const retentionSql = `
  SELECT id, definition -> 'retention' AS retention FROM directory.virtual_file_systems
  WHERE retired_at IS NULL AND definition -> 'retention' IS NOT NULL`;

function retentionOf({ id, retention: { hoursAfterPut, hoursAfterGet } }: RetentionRow): VfsRetention {
  return { vfsId: id, hoursAfterPut, hoursAfterGet };
}
