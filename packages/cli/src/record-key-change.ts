import { type AuditedFact, composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import { changedBy } from './changed-by.ts';
import type { Invocation } from './command.ts';
import { withDatabase } from './database/with-database.ts';

/** What a step of a rotation does to a key. */
export type KeyChange = Extract<AuditedFact, 'entityCreated' | 'entityModified' | 'entityDeleted'>;

/**
 * Changes a key and audits that. Returns the id of the key. The database is reached before the key is changed; without
 * DATABASE_URL a warning is written instead of the record, so that keys can be changed after a leak in any state of the platform.
 */
export async function changeKey(
  invocation: Invocation,
  { fact, purpose }: { readonly fact: KeyChange; readonly purpose: string },
  change: () => Promise<string>,
): Promise<string> {
  const { env, err } = invocation;
  if (env['DATABASE_URL'] === undefined && env['DATABASE_URL_FILE'] === undefined) {
    const changed = await change();
    err('Warning: DATABASE_URL is not set: the audit log has no record of this change.');
    return changed;
  }
  return await withDatabase(invocation, (db) =>
    db.transaction(async (trx) => {
      await trx.raw('SELECT 1');
      const kid = await change();
      const entity = { entityType: 'Signing Key', entityName: purpose, entityId: kid };
      const payload = composeAuditEvent(fact, { ...changedBy(env), ...entity });
      await appendToOutbox(trx, [{ topic: 'audit-event', payload }]);
      return kid;
    }),
  );
}
