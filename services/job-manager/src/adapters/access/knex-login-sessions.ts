import { type Principal, reachOf } from '@waybill/access/principal';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database } from '@waybill/postgres/database';
import type { JobSite } from '../../config.ts';
import type { LoginSessions } from '../../domain/access/login-sessions.ts';

interface SessionRow {
  readonly id: string;
  readonly user: string;
  readonly address: string | null;
  readonly loggedInAt: Date;
  readonly renewedAt: Date | null;
  readonly expiresAt: Date;
}

/** The logins of manager users: families of refresh tokens in schema `access`. */
export function createKnexLoginSessions(db: Database, { managerName, nodeName: nodeId }: JobSite): LoginSessions {
  return {
    list: async (by, { user = null, before = null, limit }) => {
      const { rows } = await db.raw<{ rows: SessionRow[] }>(
        `SELECT id::text, user_name AS "user", address, issued_at AS "loggedInAt", rotated_at AS "renewedAt",
                expires_at AS "expiresAt"
           FROM access.refresh_tokens
          WHERE expires_at > now() AND user_name = COALESCE(CAST(:owner AS text), user_name)
            AND user_name = COALESCE(CAST(:user AS text), user_name)
            AND (CAST(:before AS bigint) IS NULL OR refresh_tokens.id < CAST(:before AS bigint))
          ORDER BY refresh_tokens.id DESC LIMIT :limit`,
        { owner: ownerFor(by, 'identities:read'), user, before, limit },
      );
      return rows.map(({ id, user, address, loggedInAt, renewedAt, expiresAt }) => ({
        id: Number(id),
        user,
        address,
        loggedInAt: loggedInAt.toISOString(),
        renewedAt: renewedAt?.toISOString() ?? null,
        expiresAt: expiresAt.toISOString(),
        current: by.sessionId === id,
      }));
    },
    revoke: async (by, id) => {
      await db.transaction(async (trx) => {
        const { rows } = await trx.raw<{ rows: { user: string }[] }>(
          `DELETE FROM access.refresh_tokens
            WHERE id = :id AND user_name = COALESCE(CAST(:owner AS text), user_name) RETURNING user_name AS "user"`,
          { id, owner: ownerFor(by, 'identities:delete') },
        );
        const [ended] = rows;
        if (!ended) throw new CodedError('entity_unknown', { detail: `There is no session ${id}` });
        const entity = { entityType: 'Login session', entityName: ended.user, entityId: String(id) };
        const payload = composeAuditEvent('entityDeleted', { managerName, nodeId, user: by.userName, ...entity });
        await appendToOutbox(trx, [{ topic: 'audit-event', payload }]);
      });
    },
  };
}

/** The user to whose sessions the caller is limited; null for none. @throws CodedError `not_permitted` to a caller with an API key */
function ownerFor(by: Principal, permission: 'identities:read' | 'identities:delete'): string | null {
  if (reachOf(by.grants, permission) === 'all') return null;
  // A key has the rights that it was given, and not those of its owner over the own account.
  if (by.apiKeyId !== undefined)
    throw new CodedError('not_permitted', { detail: 'Log in to see and end your sessions' });
  return by.userName;
}
