import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { listenToEverything } from '@waybill/outbox/listen-to';
import type { Database } from '@waybill/postgres/database';
import type { FilePorts } from './apply/apply-systems.ts';
import type { Change } from './apply/change.ts';
import { type PasswordOrigins, preparePasswords } from './apply/prepare-password-hashes.ts';
import { reconcileSource } from './apply/reconcile-configuration.ts';
import { settleChanges } from './settle/settle-changes.ts';
import { recordSource } from './sources/applied-source.ts';

/** The configuration to apply. */
export interface ConfigurationToApply {
  db: Database;
  /** The result of `parseConfiguration`, which has checked the references. */
  configuration: PlatformConfiguration;
  /** For the audit log. */
  by: { user: string; nodeId: string };
  /** The name of its file, for people. */
  file?: string;
  files: FilePorts;
  /** Every text of the configuration that contains values of the environment: the audit log gets none of them. */
  filled?: ReadonlySet<string>;
  /** By default, every password that differs from the last configured one is set. */
  passwordOrigins?: PasswordOrigins;
  /**
   * Called with the changes before they are committed. If it throws, nothing is changed, and the error is passed on.
   */
  beforeCommit?: (changes: readonly Change[]) => void;
}

/**
 * Applies a configuration atomically and returns the changes: none if it was applied already. Entities that it no
 * longer names are removed. Each change is audited in the same transaction. A password that a user changed is kept
 * until the password in the configuration changes, or its variable is given explicitly.
 * @throws CodedError `configuration_invalid` if it removes a VFS that holds files
 */
export async function applyConfiguration(options: ConfigurationToApply): Promise<Change[]> {
  const { db, configuration, by, files, filled = new Set(), passwordOrigins, beforeCommit, file = '' } = options;
  const hashes = await preparePasswords({ db, configuration, passwordOrigins });
  // An upload that begins before a contract exists and commits afterwards starts the contract too.
  await using _everything = await listenToEverything(db);
  return await db.transaction(async (trx) => {
    const changes = await reconcileSource(trx, { configuration, hashes, files, by: by.user });
    beforeCommit?.(changes);
    const managerName = configuration.manager.name;
    await settleChanges(trx, changes, { ...by, managerName, filled });
    await recordSource(trx, { source: configuration.source, file, managerName, appliedBy: by.user });
    return changes;
  });
}
