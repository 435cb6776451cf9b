import type { Queryable } from '@waybill/postgres/database';
import { queryRows } from '../queries/query-rows.ts';
import type { PublicKeyLine } from '../users/public-key-line.ts';
import { fingerprintOf } from './own-keys.ts';

/** A way of a user of an actor to log in that ends. */
export interface ExpiringLogin {
  readonly userName: string;
  readonly actorName: string;
  /** The fingerprint of an SSH key; undefined: the legacy algorithms of the user. */
  readonly fingerprint: string | undefined;
  readonly expiresAt: Date;
}

/** SSH keys and legacy algorithms of users of actors that end, the first first. */
export async function listExpiringLogins(db: Queryable): Promise<ExpiringLogin[]> {
  const rows = await queryRows<Omit<ExpiringLogin, 'fingerprint'> & { key: PublicKeyLine | null }>(
    db,
    `SELECT u.name AS "userName", a.name AS "actorName", e.key, e.expires AS "expiresAt"
       FROM (
         SELECT o.id, c ->> 'key' AS key, CAST(c ->> 'expires' AS timestamptz) AS expires
           FROM directory.partner_users o, jsonb_array_elements(o.definition -> 'publicKeys') c
         UNION ALL
         SELECT user_id, key, expires_at FROM directory.own_keys
         UNION ALL
         SELECT o.id, NULL, CAST(o.definition -> 'legacyAlgorithms' ->> 'until' AS timestamptz)
           FROM directory.partner_users o) e
       JOIN directory.partner_users u ON u.id = e.id
       JOIN directory.actors a ON a.id = u.actor_id
      WHERE e.expires IS NOT NULL
      ORDER BY e.expires, u.name`,
    {},
  );
  return rows.map(({ key, ...login }) => ({
    ...login,
    fingerprint: key === null ? undefined : fingerprintOf(key),
  }));
}
