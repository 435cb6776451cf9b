import { deleteApiKeys } from '@waybill/access/api-key';
import { grantsOf } from '@waybill/access/principal';
import { createRefreshTokens } from '@waybill/access/refresh-tokens';
import { deleteSecondFactor } from '@waybill/access/second-factors/second-factors';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import type { UserName } from '@waybill/contracts/values/user-name';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Transaction } from '@waybill/postgres/database';
import type { FilePorts } from '../apply/apply-systems.ts';
import { type FirstPasswordCode, issueFirstPassword } from '../logins/issue-first-passwords.ts';
import type { AppliedBy } from '../settle/audit-changes.ts';
import type { Definition } from '../sources/entity-target.ts';
import { readEntity, type StoredEntity } from '../sources/stored-entities.ts';
import { putEntity } from './write-entity.ts';

const role = 'Administrators';

/** Who is to be an administrator, and why. */
export interface Recovery {
  readonly db: Database;
  readonly files: FilePorts;
  readonly userName: UserName;
  /** For the audit log. */
  readonly reason: string;
  readonly by: Omit<AppliedBy, 'filled'>;
}

/** The code of a recovery, and whether there was no manager user of that name before. */
export interface RecoveredAdministrator extends FirstPasswordCode {
  readonly isNew: boolean;
}

/**
 * Makes a manager user an enabled administrator without a password, and returns the code that sets one. A user who exists loses
 * the password, the second factor, the link with an issuer, all logins and all API keys: they may be in the hands of others. What a
 * source owns is changed by force.
 * @throws CodedError `validation_failed` for a name that no user can have
 */
export async function recoverAdministrator({ db, files, by, ...recovery }: Recovery): Promise<RecoveredAdministrator> {
  const { userName, reason } = recovery;
  return await db.transaction(async (trx) => {
    await trx.raw('UPDATE directory.manager_users SET password_hash = NULL WHERE name = ?', [userName]);
    await createRefreshTokens({ db: trx }).revokeAll(userName);
    await deleteApiKeys(trx, userName);
    await deleteSecondFactor(trx, 'managers', userName);
    const writer = { db: trx, files, by, rights: { grants: grantsOf([role]), actors: undefined } };
    const target = { entityType: 'Internal User', name: userName } as const;
    const stored = await readEntity(trx, target);
    const isOfSource = stored !== undefined && stored.source !== null;
    const { entity } = await putEntity(writer, target, {
      settings: asAdministrator,
      ...(isOfSource && { forcedFor: reason }),
    });
    if (!entity) throw new Error(`${userName} was not stored`);
    await noteRecovery(trx, entity, { reason, by });
    return { ...(await issueFirstPassword(trx, userName)), isNew: stored === undefined };
  });
}

function asAdministrator(stored: StoredEntity | undefined): object {
  const { oidc: _link, ...definition } = stored?.definition ?? {};
  return {
    ...definition,
    enabled: true,
    passwordChangeRequired: false,
    roles: [...new Set([...rolesOf(definition), role])],
  };
}

function rolesOf({ roles }: Definition): unknown[] {
  return Array.isArray(roles) ? roles : [];
}

async function noteRecovery(
  trx: Transaction,
  { id, entityType, name }: StoredEntity,
  { reason, by }: Pick<Recovery, 'reason' | 'by'>,
): Promise<void> {
  const entity = { entityType, entityName: name, entityId: id };
  const payload = composeAuditEvent('administratorRecovered', {
    ...by,
    ...entity,
    context: { reason },
    names: { reason },
  });
  await appendToOutbox(trx, [{ topic: 'audit-event', payload }]);
}
