import type { Database } from '@waybill/postgres/database';
import { prepareStatement } from '@waybill/postgres/prepared-statement';
import { runPrepared } from '@waybill/postgres/run-prepared';

/**
 * Remembers that a user logged in just now; writes at most once in five minutes for each user. Otherwise nothing is locked, as
 * with `recordKeyUse`. A user who was deleted meanwhile is ignored.
 */
export async function recordLogin(db: Database, userId: string): Promise<void> {
  await runPrepared(db, noteLogin, { userId });
}

const noteLogin = prepareStatement(
  'directory record login',
  `INSERT INTO directory.user_logins AS l (user_id, last_login_at)
   SELECT u.id, now() FROM directory.partner_users u
   WHERE u.id = :userId AND NOT EXISTS (
     SELECT FROM directory.user_logins k
     WHERE k.user_id = u.id AND k.last_login_at >= now() - interval '5 minutes')
   ON CONFLICT (user_id) DO UPDATE SET last_login_at = now()
   WHERE l.last_login_at < now() - interval '5 minutes'`,
);
