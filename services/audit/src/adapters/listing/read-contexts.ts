import type { AuditContext } from '@waybill/contracts/messages/audit-event';
import type { Database } from '@waybill/postgres/database';
import { select } from './found-conditions.ts';

/** The circumstances of records, by their ids. What was erased is not among them. */
export async function readContexts(db: Database, ids: readonly string[]): Promise<ReadonlyMap<string, AuditContext>> {
  if (ids.length === 0) return new Map();
  const rows = await select<{ id: string; context: AuditContext }>(db, {
    text: `
      SELECT id, coalesce(context, '{}') || jsonb_strip_nulls(jsonb_build_object(
               'address', address, 'virtualFileSystem', virtual_file_system)) AS context
      FROM audit.records WHERE id = ANY (CAST(? AS uuid[]))`,
    bindings: [[...ids]],
  });
  return new Map(rows.map(({ id, context }) => [id, context]));
}
