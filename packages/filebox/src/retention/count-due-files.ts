import type { Queryable } from '@waybill/postgres/database';
import type { RetentionRules } from './expiry.ts';

/** How many files of a VFS are older than a rule allows, and would be deleted at once. */
export async function countDueFiles(
  on: Queryable,
  rule: Awaited<ReturnType<RetentionRules['listRetention']>>[number],
): Promise<number> {
  const { vfsId, hoursAfterPut = null, hoursAfterGet = null } = rule;
  // Without hours there is no limit, and no file is due.
  const { rows } = await on.raw<{ rows: { due: string }[] }>(
    `SELECT count(*) AS due FROM filebox.entries
     WHERE kind = 'file' AND vfs_id = :vfsId
       AND (put_at <= now() - make_interval(hours => CAST(:hoursAfterPut AS integer))
         OR last_read_at <= now() - make_interval(hours => CAST(:hoursAfterGet AS integer)))`,
    { vfsId, hoursAfterPut, hoursAfterGet },
  );
  return Number(rows[0]?.due ?? 0);
}
