import { createRefreshTokens } from '@waybill/access/refresh-tokens';
import type { PlatformConfiguration } from '@waybill/contracts/configuration/platform-configuration';
import { userNameSchema } from '@waybill/contracts/values/user-name';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import { listenToEverything } from '@waybill/outbox/listen-to';
import type { Database, Transaction } from '@waybill/postgres/database';
import type { FilePorts } from './apply/apply-systems.ts';
import { auditChanges } from './apply/audit-changes.ts';
import type { Change } from './apply/change.ts';
import { listenToTriggers } from './apply/listen-to-triggers.ts';
import { type PasswordOrigins, preparePasswordHashes } from './apply/prepare-password-hashes.ts';
import { reconcileConfiguration } from './apply/reconcile-configuration.ts';

/** The configuration to apply. */
export interface ConfigurationToApply {
  db: Database;
  /** The result of `parseConfiguration`, which has checked the references. */
  configuration: PlatformConfiguration;
  /** For the audit log. */
  by: { user: string; nodeId: string };
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
  const { db, configuration, by, files, filled = new Set(), passwordOrigins, beforeCommit } = options;
  const hashes = await preparePasswordHashes(db, configuration, passwordOrigins);
  // An upload that begins before a contract exists and commits afterwards starts the contract too.
  await using _everything = await listenToEverything(db);
  return await db.transaction(async (trx) => {
    const changes = await reconcileConfiguration(trx, { configuration, hashes, files });
    beforeCommit?.(changes);
    await endLogins(trx, changes);
    await listenToTriggers(trx);
    const managerName = configuration.manager.name;
    await appendToOutbox(trx, auditChanges(changes, { ...by, managerName, filled }));
    return changes;
  });
}

/** Ends the logins of manager users who were removed or got another password. */
async function endLogins(trx: Transaction, changes: readonly Change[]): Promise<void> {
  const refreshTokens = createRefreshTokens({ db: trx });
  for (const { entityType, entityName, change, fields } of changes) {
    const ends = change === 'deleted' || fields.includes('password');
    if (entityType === 'Internal User' && ends) await refreshTokens.revokeAll(userNameSchema.parse(entityName));
  }
}
