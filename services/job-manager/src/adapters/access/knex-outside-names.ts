import { CodedError } from '@waybill/contracts/errors/coded-error';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database } from '@waybill/postgres/database';
import type { JobSite } from '../../config.ts';
import type { OutsideNames } from '../../domain/access/outside-names.ts';

interface NameRow {
  readonly name: string;
  readonly issuer: string;
  readonly subject: string;
  readonly boundAt: Date;
  readonly lastLoginAt: Date;
}

/** Names of users of an outside issuer in schema `access`. */
export function createKnexOutsideNames(db: Database, { managerName, nodeName: nodeId }: JobSite): OutsideNames {
  return {
    claim: async (name, { issuer, subject }) => {
      // One statement: of two subjects at once, one is the first.
      const { rows } = await db.raw<{ rows: unknown[] }>(
        `INSERT INTO access.outside_names AS o (user_name, issuer, subject) VALUES (:name, :issuer, :subject)
         ON CONFLICT (user_name) DO UPDATE SET last_login_at = now()
           WHERE o.issuer = excluded.issuer AND o.subject = excluded.subject
         RETURNING user_name`,
        { name, issuer, subject },
      );
      return rows.length > 0;
    },
    list: async ({ name = null, after = null, limit }) => {
      const { rows } = await db.raw<{ rows: NameRow[] }>(
        `SELECT user_name AS name, issuer, subject, bound_at AS "boundAt", last_login_at AS "lastLoginAt"
           FROM access.outside_names
          WHERE user_name = COALESCE(CAST(:name AS text), user_name)
            AND (CAST(:after AS text) IS NULL OR user_name > CAST(:after AS text))
          ORDER BY user_name LIMIT :limit`,
        { name, after, limit },
      );
      return rows.map(({ boundAt, lastLoginAt, ...row }) => ({
        ...row,
        boundAt: boundAt.toISOString(),
        lastLoginAt: lastLoginAt.toISOString(),
      }));
    },
    release: async (by, name) => {
      await db.transaction(async (trx) => {
        const { rows } = await trx.raw<{ rows: { issuer: string; subject: string }[] }>(
          'DELETE FROM access.outside_names WHERE user_name = ? RETURNING issuer, subject',
          [name],
        );
        const [released] = rows;
        if (!released) throw new CodedError('entity_unknown', { detail: `No user of an issuer has the name ${name}` });
        // Those of users of the configuration have no roles of their own.
        await trx.raw('DELETE FROM access.refresh_tokens WHERE user_name = ? AND roles IS NOT NULL', [name]);
        const entity = { entityType: 'Name of a user of an issuer', entityName: name, entityId: released.subject };
        const context = { issuer: released.issuer, subject: released.subject };
        const payload = composeAuditEvent('entityDeleted', {
          managerName,
          nodeId,
          user: by.userName,
          ...entity,
          context,
        });
        await appendToOutbox(trx, [{ topic: 'audit-event', payload }]);
      });
    },
  };
}
