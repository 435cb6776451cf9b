import type { Database } from '@waybill/postgres/database';
import type { PublicKeyLine } from '../public-key-line.ts';

/** Remembers that a user logged in with a key just now; writes at most once a minute for each key. */
export async function recordKeyUse(db: Database, userId: string, key: PublicKeyLine): Promise<void> {
  await db.raw(
    `INSERT INTO directory.key_uses AS u (user_id, key, last_used_at) VALUES (:userId, :key, now())
     ON CONFLICT (user_id, key) DO UPDATE SET last_used_at = now()
     WHERE u.last_used_at < now() - interval '1 minute'`,
    { userId, key },
  );
}
