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
  /** As `parseConfiguration` gave it: its references are taken for checked. */
  configuration: PlatformConfiguration;
  /** For the audit record. */
  by: { user: string; nodeId: string };
  files: FilePorts;
  /** Without it every password that differs from the one that was configured last is put in force. */
  passwordOrigins?: PasswordOrigins;
  /** Called with the changes before they are committed. What it throws is thrown on, and nothing is changed. */
  beforeCommit?: (changes: readonly Change[]) => void;
}

/**
 * Brings a configuration into force, all of it or nothing, and answers what changed: nothing when it is in force already.
 * What it does not name any more is removed. Each change is audited in the same transaction. A password that a user
 * changed stays until the configuration has another one than it had, or its variable is given explicitly.
 * @throws CodedError `configuration_invalid` when it lets go of a VFS that holds files
 */
export async function applyConfiguration(options: ConfigurationToApply): Promise<Change[]> {
  const { db, configuration, by, files, passwordOrigins, beforeCommit } = options;
  const hashes = await preparePasswordHashes(db, configuration, passwordOrigins);
  // An upload that began before a contract was there, and commits after it, starts it too.
  await using _everything = await listenToEverything(db);
  return await db.transaction(async (trx) => {
    const changes = await reconcileConfiguration(trx, { configuration, hashes, files });
    beforeCommit?.(changes);
    await endLogins(trx, changes);
    await listenToTriggers(trx);
    await appendToOutbox(trx, auditChanges(changes, { ...by, managerName: configuration.manager.name }));
    return changes;
  });
}

/** Ends what manager users are logged in with who were removed or got another password. */
async function endLogins(trx: Transaction, changes: readonly Change[]): Promise<void> {
  const refreshTokens = createRefreshTokens({ db: trx });
  for (const { entityType, entityName, change, fields } of changes) {
    const ends = change === 'deleted' || fields.includes('password');
    if (entityType === 'Internal User' && ends) await refreshTokens.revokeAll(userNameSchema.parse(entityName));
  }
}
