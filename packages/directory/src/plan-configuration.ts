import type { ConfigurationToApply } from './apply-configuration.ts';
import type { Change } from './apply/change.ts';
import { preparePasswordHashes } from './apply/prepare-password-hashes.ts';
import { reconcileConfiguration } from './apply/reconcile-configuration.ts';

/**
 * Returns the changes that `applyConfiguration` would make: runs it and rolls back.
 * @throws CodedError `configuration_invalid`, as applying it would
 */
export async function planConfiguration(options: Omit<ConfigurationToApply, 'by' | 'beforeCommit'>): Promise<Change[]> {
  const { db, configuration, files, passwordOrigins } = options;
  const hashes = await preparePasswordHashes(db, configuration, passwordOrigins);
  const trx = await db.transaction();
  try {
    return await reconcileConfiguration(trx, { configuration, hashes, files });
  } finally {
    await trx.rollback();
  }
}
