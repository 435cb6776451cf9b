import type {
  Alongside,
  SecondFactorProof,
  SecondFactors,
  SecondFactorState,
  TotpEnrolment,
} from '@waybill/access/second-factors/second-factors';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { composeAuditEvent } from '@waybill/contracts/messages/audit-catalogue';
import { appendToOutbox } from '@waybill/outbox/append-to-outbox';
import type { Database, Transaction } from '@waybill/postgres/database';
import type { PartnerUser } from '../users/partner-user.ts';
import { findAccountStanding } from './account-standing.ts';
import { removePartnerSecondFactor } from './remove-second-factor.ts';

type User = Pick<PartnerUser, 'id' | 'name'>;

/** What a login with a right password needs besides: nothing, a code, or a second factor that is to be set up first. */
export type SecondFactorDemand = 'none' | 'code' | 'setup';

/** The second factors of partner users, for the servers that they log in to. What changes is audited. */
export interface PartnerSecondFactors {
  demandOn(user: User): Promise<SecondFactorDemand>;
  /** Checks a code, and uses it up. @throws CodedError `too_many_requests` */
  prove(user: User, code: string): Promise<SecondFactorProof | undefined>;
}

/** The same, for the server on which users manage them. */
export interface OwnedSecondFactors extends PartnerSecondFactors {
  find(user: User): Promise<{
    readonly state: SecondFactorState | undefined;
    readonly rule: 'off' | 'optional' | 'required';
  }>;
  /** @throws CodedError `second_factor_exists`, `second_factor_not_allowed` */
  begin(user: User): Promise<TotpEnrolment>;
  /** `undefined` for a wrong code. @throws CodedError as `begin`, `too_many_requests` */
  confirm(user: User, code: string): Promise<readonly string[] | undefined>;
  renewRecoveryCodes(user: User): Promise<readonly string[]>;
  /** @throws CodedError `second_factor_absent` */
  remove(user: User): Promise<void>;
}

/** The parts that all audit records of a server have in common. */
interface Site {
  readonly peerName: string;
  readonly managerName: string;
}

/** The second factors of the partner users in the directory. `factors` are those of partners. */
export function createPartnerSecondFactors(
  db: Database,
  factors: SecondFactors,
  { peerName: nodeId, managerName }: Site,
): OwnedSecondFactors {
  const ruleOf = async ({ id }: User) =>
    (await findAccountStanding(db, { kind: 'partner', id }))?.policy.partnerSecondFactor ?? 'off';
  const assertAllowed = async (user: User): Promise<void> => {
    if ((await ruleOf(user)) === 'off') throw new CodedError('second_factor_not_allowed');
  };
  const noting =
    (fact: 'secondFactorSet' | 'recoveryCodesRenewed', { id: entityId, name }: User): Alongside =>
    async (trx: Transaction) => {
      const entity = { entityType: 'External User', entityName: name, entityId };
      const payload = composeAuditEvent(fact, { managerName, nodeId, user: name, ...entity });
      await appendToOutbox(trx, [{ topic: 'audit-event', payload }]);
    };
  return {
    demandOn: async (user) => {
      const rule = await ruleOf(user);
      if (rule === 'off') return 'none';
      if ((await factors.find(user.name)) !== undefined) return 'code';
      return rule === 'required' ? 'setup' : 'none';
    },
    prove: ({ name }, code) => factors.prove(name, code),
    find: async (user) => ({ state: await factors.find(user.name), rule: await ruleOf(user) }),
    begin: async (user) => {
      await assertAllowed(user);
      return await factors.begin(user.name);
    },
    confirm: async (user, code) => {
      await assertAllowed(user);
      return await factors.confirm(user.name, code, noting('secondFactorSet', user));
    },
    renewRecoveryCodes: (user) => factors.renewRecoveryCodes(user.name, noting('recoveryCodesRenewed', user)),
    remove: (user) => removePartnerSecondFactor(db, user, { user: user.name, nodeId, managerName }),
  };
}
