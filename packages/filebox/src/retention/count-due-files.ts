import type { Database } from '@waybill/postgres/database';
import { preferIndexes } from '@waybill/postgres/prefer-indexes';
import type { RetentionRules } from './expiry.ts';

type RetentionRule = Awaited<ReturnType<RetentionRules['listRetention']>>[number];

/** How many VFSs a statement counts. */
const systemsAtOnce = 500;

/** How many files of each VFS are older than its rule allows, and would be deleted at once: of those that have any. */
export async function countDueFiles(
  db: Database,
  rules: readonly RetentionRule[],
): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  if (rules.length === 0) return counts;
  await db.transaction(async (trx) => {
    await preferIndexes(trx);
    for (let at = 0; at < rules.length; at += systemsAtOnce) {
      const some = JSON.stringify(rules.slice(at, at + systemsAtOnce).map(asRow));
      const { rows } = await trx.raw<{ rows: { vfs_id: string; due: string }[] }>(countSql, { rules: some });
      for (const { vfs_id: vfsId, due } of rows) counts.set(vfsId, Number(due));
    }
  });
  return counts;
}

function asRow({ vfsId, hoursAfterPut, hoursAfterGet }: RetentionRule): object {
  return { vfs_id: vfsId, after_put: hoursAfterPut, after_get: hoursAfterGet };
}

/** Without hours there is no limit, and no file is due. Each time has an index: a file that both make due is counted once. */
const countSql = `
  SELECT vfs_id, old.files + unused.files AS due
  FROM jsonb_to_recordset(CAST(:rules AS jsonb)) AS rule (vfs_id text, after_put integer, after_get integer)
  CROSS JOIN LATERAL (
    SELECT count(*) AS files FROM filebox.entries e
    WHERE e.kind = 'file' AND e.vfs_id = rule.vfs_id AND e.put_at <= now() - make_interval(hours => after_put)
  ) old
  CROSS JOIN LATERAL (
    SELECT count(*) AS files FROM filebox.entries e
    WHERE e.kind = 'file' AND e.vfs_id = rule.vfs_id AND e.last_read_at <= now() - make_interval(hours => after_get)
      AND (e.put_at <= now() - make_interval(hours => after_put)) IS NOT TRUE
  ) unused
  WHERE old.files + unused.files > 0`;
