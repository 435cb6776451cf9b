import { hashPassword } from '@waybill/access/hash-password';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { type AuditedCircumstances, composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Queryable } from '@waybill/postgres/database';
import type { CausingClient } from '@waybill/service-kit/telemetry/correlation';
import { findPartnerUser } from '../queries/find-partner-user.ts';
import type { PartnerUser } from '../users/partner-user.ts';
import { findAccountStanding, type PasswordDemand } from './account-standing.ts';
import { assertPasswordChoice } from './assert-password-choice.ts';

/** The passwords of partner users, for the servers that they log in to. */
export interface PartnerPasswords {
  /** Why the user has to change the password before a login with it. */
  demandOn(user: Pick<PartnerUser, 'id'>): Promise<PasswordDemand | undefined>;
  /**
   * Sets the password that the user has chosen, and audits that. Logins with the former one end within a second. Returns the
   * user as stored now. @throws CodedError `password_refused`; `invalid_credentials` if it was changed meanwhile
   */
  change(user: PartnerUser, password: string, client?: CausingClient): Promise<PartnerUser>;
  /** Audits that a change was refused. */
  noteRefusal(user: Pick<PartnerUser, 'id' | 'name'>, outcome: string, client?: CausingClient): Promise<void>;
}

/** The parts that all audit records of a server have in common. */
interface Site {
  readonly peerName: string;
  readonly managerName: string;
}

/** The passwords of the partner users in the directory. */
export function createPartnerPasswords(db: Database, { peerName: nodeId, managerName }: Site): PartnerPasswords {
  const note = async (
    on: Queryable,
    fact: 'passwordChanged' | 'passwordChangeFailed',
    { id, name }: Pick<PartnerUser, 'id' | 'name'>,
    context: AuditedCircumstances['context'],
  ): Promise<void> => {
    const entity = { entityType: 'External User', entityName: name, entityId: id };
    const payload = composeAuditEvent(fact, { user: name, nodeId, managerName, ...entity, context });
    await appendToOutbox(on, [{ topic: 'audit-event', payload }]);
  };
  return {
    demandOn: async ({ id }) => (await findAccountStanding(db, { kind: 'partner', id }))?.passwordDemand,
    noteRefusal: (user, outcome, client?: CausingClient) =>
      note(db, 'passwordChangeFailed', user, { ...client, outcome }),
    change: async (user, password, client?: CausingClient) => {
      await assertPasswordChoice(db, { ...user, kind: 'partner' }, password);
      const passwordHash = await hashPassword(password);
      await db.transaction(async (trx) => {
        await setPassword(trx, user, passwordHash);
        await note(trx, 'passwordChanged', user, { ...client });
      });
      return (await findPartnerUser(db, user.name)) ?? user;
    },
  };
}

/** Unless the password is another one by now: of two changes at once, the first is in force. */
async function setPassword(
  on: Queryable,
  { id, passwordHash: former }: PartnerUser,
  passwordHash: string,
): Promise<void> {
  const { rows } = await on.raw<{ rows: { changed: boolean }[] }>(
    'SELECT directory.change_partner_password(CAST(:id AS bigint), :former, :passwordHash) AS changed',
    { id, passwordHash, former: former ?? null },
  );
  if (rows[0]?.changed !== true) throw new CodedError('invalid_credentials');
}
