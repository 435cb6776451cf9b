import type { Transaction } from '@waybill/postgres/database';
import { type AuditSettings, auditSettingsSchema } from '../domain/log/settings-change.ts';

/**
 * Stores the settings of this start as part of a transaction, and returns those of the last one; `undefined` at the first.
 * Processes that start at the same time wait for each other.
 */
export async function replaceSettings(trx: Transaction, settings: AuditSettings): Promise<AuditSettings | undefined> {
  const row = await trx<{ settings: unknown }>('audit.settings').forUpdate().first();
  const former = auditSettingsSchema.safeParse(row?.settings);
  await trx('audit.settings').update({ settings: JSON.stringify(settings) });
  return former.success ? former.data : undefined;
}
