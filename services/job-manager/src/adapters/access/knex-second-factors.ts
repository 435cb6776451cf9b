import { coverGrants, type Principal } from '@waybill/access/principal';
import { createRefreshTokens } from '@waybill/access/refresh-tokens';
import { createSecondFactors } from '@waybill/access/second-factors/second-factors';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { isSecondFactorRequired } from '@waybill/directory/accounts/is-second-factor-required';
import { removeSecondFactor } from '@waybill/directory/accounts/remove-second-factor';
import { findManagerUser } from '@waybill/directory/queries/find-manager-user';
import { findGrants } from '@waybill/directory/rights/find-rights';
import type { ManagerUser } from '@waybill/directory/users/manager-user';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Transaction } from '@waybill/postgres/database';
import type { KeyRing } from '@waybill/secrets/key-ring';
import type { JobSite } from '../../config.ts';
import type { ManagerSecondFactors } from '../../domain/access/manager-second-factors.ts';

/** The second factors of manager users, in schema `access`. */
export function createKnexSecondFactors(parts: {
  db: Database;
  ring: () => KeyRing;
  /** For how long codes are refused after too many wrong ones. */
  blockSeconds: number;
  site: JobSite;
}): ManagerSecondFactors {
  const { db, ring, blockSeconds, site } = parts;
  const { managerName, nodeName: nodeId } = site;
  const { find, begin, prove, confirm, renewRecoveryCodes } = createSecondFactors({
    db,
    blockSeconds,
    ring,
    of: 'managers',
  });
  const note = async (
    trx: Transaction,
    fact: 'secondFactorSet' | 'recoveryCodesRenewed',
    { id: entityId, name }: ManagerUser,
  ): Promise<void> => {
    const entity = { entityType: 'Internal User', entityName: name, entityId };
    const payload = composeAuditEvent(fact, { managerName, nodeId, user: name, ...entity });
    await appendToOutbox(trx, [{ topic: 'audit-event', payload }]);
  };
  return {
    find,
    begin,
    prove,
    isRequired: () => isSecondFactorRequired(db),
    confirm: (user, code) =>
      confirm(user.name, code, async (trx) => {
        await createRefreshTokens({ db: trx }).revokeAll(user.name);
        await note(trx, 'secondFactorSet', user);
      }),
    renewRecoveryCodes: (user) => renewRecoveryCodes(user.name, (trx) => note(trx, 'recoveryCodesRenewed', user)),
    remove: ({ name: userName }) => removeSecondFactor(db, { userName, by: { user: userName, nodeId, managerName } }),
    reset: async (by, userName) => {
      assertMayReset(by, userName);
      const user = await findManagerUser(db, userName);
      if (user && !coverGrants(by.grants, await findGrants(db, user.roles))) {
        throw new CodedError('not_permitted', { detail: `The user ${userName} has more rights than you` });
      }
      await removeSecondFactor(db, { userName, by: { user: by.userName, nodeId, managerName } });
    },
  };
}

/** A stolen access token or API key must not become a login: nobody removes the own second factor without a code, or any with a key. */
function assertMayReset({ userName, apiKeyId }: Principal, of: string): void {
  const refuse = (detail: string): never => {
    throw new CodedError('not_permitted', { detail });
  };
  if (of === userName)
    refuse('Remove your own second factor with auth/second-factor/remove, which needs the password and a code');
  if (apiKeyId !== undefined) refuse('Log in to remove the second factor of a manager user');
}
