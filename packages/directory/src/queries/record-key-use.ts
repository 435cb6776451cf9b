import type { Database } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';
import type { PublicKeyLine } from '../users/public-key-line.ts';

/**
 * Remembers that a user logged in with a key just now; writes at most once a minute for each key. Otherwise nothing
 * is locked: `ON CONFLICT` alone would lock the row, so that logins with the same key would wait for each other's
 * disk writes.
 */
export async function recordKeyUse(db: Database, userId: string, key: PublicKeyLine): Promise<void> {
  await runPrepared(db, noteUse, { userId, key });
}

const noteUse = prepareStatement(
  'directory record key use',
  `INSERT INTO directory.key_uses AS u (user_id, key, last_used_at)
   SELECT :userId, :key, now()
   WHERE NOT EXISTS (
     SELECT FROM directory.key_uses k
     WHERE k.user_id = :userId AND k.key = :key AND k.last_used_at >= now() - interval '1 minute')
   ON CONFLICT (user_id, key) DO UPDATE SET last_used_at = now()
   WHERE u.last_used_at < now() - interval '1 minute'`,
);
