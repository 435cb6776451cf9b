import { findPartnerSecondFactor } from '@waybill/access/second-factors/second-factors';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import type { UserName } from '@waybill/contracts/values/user-name';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Queryable } from '@waybill/postgres/database';
import { findPartnerUser } from '../queries/find-partner-user.ts';
import type { PartnerUser } from '../users/partner-user.ts';
import { type AccountKey, deleteOwnKey, fingerprintOf, readKeys } from './own-keys.ts';
import { removePartnerSecondFactor } from './remove-second-factor.ts';

/** Who asks for the keys of a user: an administrator, and the actors that this one reaches (all if undefined). */
export interface KeyAdministrator {
  readonly userName: string;
  readonly actors: readonly string[] | undefined;
}

/** The SSH keys and second factors of partner users, as administrators manage them. */
export interface KeysOfUsers {
  /** @throws CodedError `user_unknown` */
  list(userName: UserName, by: KeyAdministrator): Promise<AccountKey[]>;
  /** Deletes a key that the user has added, and audits that. @throws CodedError `user_unknown`, `ssh_key_unknown`, `ssh_key_fixed` */
  remove(userName: UserName, id: string, by: KeyAdministrator): Promise<void>;
  /** When the user has set the second factor up; undefined: there is none. @throws CodedError `user_unknown` */
  findSecondFactor(userName: UserName, by: KeyAdministrator): Promise<Date | undefined>;
  /** Removes the second factor of a user, and audits that. @throws CodedError `user_unknown`, `second_factor_absent` */
  resetSecondFactor(userName: UserName, by: KeyAdministrator): Promise<void>;
}

/** The keys in the directory, with the rights of the operator. */
export function createKeysOfUsers(db: Database, site: { nodeId: string; managerName: string }): KeysOfUsers {
  return {
    list: async (userName, by) => readKeys(db, await reachedUser(db, userName, by)),
    remove: (userName, id, by) =>
      db.transaction(async (trx) => {
        const { id: entityId, name: entityName } = await reachedUser(trx, userName, by);
        const key = await deleteOwnKey(trx, { id: entityId }, id);
        const payload = composeAuditEvent('userSshKeyDeleted', {
          ...site,
          user: by.userName,
          entityType: 'External User',
          entityName,
          entityId,
          names: { fingerprint: fingerprintOf(key) },
        });
        await appendToOutbox(trx, [{ topic: 'audit-event', payload }]);
      }),
    findSecondFactor: async (userName, by) => findPartnerSecondFactor(db, (await reachedUser(db, userName, by)).name),
    resetSecondFactor: async (userName, by) =>
      removePartnerSecondFactor(db, await reachedUser(db, userName, by), { ...site, user: by.userName }),
  };
}

async function reachedUser(
  on: Queryable,
  userName: UserName,
  { actors }: Pick<KeyAdministrator, 'actors'>,
): Promise<PartnerUser> {
  const user = await findPartnerUser(on, userName);
  if (user !== undefined && (actors === undefined || actors.includes(user.actorName))) return user;
  throw new CodedError('user_unknown', { detail: `There is no user '${userName}'` });
}
