import type { TotpEnrolment } from '@waybill/access/second-factors/second-factors';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import { explainDemand } from '@waybill/directory/accounts/account-standing';
import type { PartnerPasswords } from '@waybill/directory/accounts/partner-passwords';
import type { OwnedSecondFactors } from '@waybill/directory/accounts/partner-second-factors';
import type { PartnerUser } from '@waybill/directory/users/partner-user';
import type { LoginEvents, ProofRefusal } from '../logins/login-events.ts';
import type { LoginRecord } from '../logins/login-record.ts';
import { judged, type Login, type ProofPorts, proveUser } from '../logins/prove-user.ts';

/** The second factors of partner users, as they manage them. Each change proves the password, and the second factor if there is one. */
export interface OwnSecondFactor {
  find: OwnedSecondFactors['find'];
  /** @throws CodedError `invalid_credentials`, `too_many_requests`, `password_change_required`, `second_factor_exists`, `second_factor_not_allowed` */
  begin(login: Login): Promise<TotpEnrolment>;
  /** Returns the recovery codes. @throws CodedError as `begin`, `second_factor_refused` */
  confirm(login: Login & { readonly code: string }): Promise<readonly string[]>;
  /** @throws CodedError as a login, `second_factor_absent` */
  renewRecoveryCodes(login: Login): Promise<readonly string[]>;
  /** @throws CodedError as a login, `second_factor_absent` */
  remove(login: Login): Promise<void>;
}

interface Ports extends ProofPorts {
  readonly secondFactors: OwnedSecondFactors;
  readonly passwords: Pick<PartnerPasswords, 'demandOn'>;
  readonly record: Pick<LoginRecord, 'loginFailed'>;
  readonly events: Pick<LoginEvents, 'loginThrottled' | 'loginTurnedAway' | 'loginFailed' | 'secondFactorChanged'>;
}

/** The second factors of partner users. */
export function createOwnSecondFactor(ports: Ports): OwnSecondFactor {
  const { secondFactors, events } = ports;
  const requireFactor = async (login: Login): Promise<PartnerUser> => {
    const proved = await proveUser(ports, login);
    if (typeof proved === 'string') return await refuse(ports, login, proved);
    if (proved.method === 'password') throw new CodedError('second_factor_absent');
    return proved.user;
  };
  return {
    find: (user) => secondFactors.find(user),
    begin: async (login) => {
      const user = await provePassword(ports, login, () => Promise.resolve(true));
      return await secondFactors.begin(user ?? (await refuse(ports, login, 'invalid_credentials')));
    },
    confirm: async (login) => {
      let codes: readonly string[] | undefined;
      let refusal: ProofRefusal = 'invalid_credentials';
      await provePassword(ports, login, async (user) => {
        refusal = 'second_factor_refused';
        codes = await secondFactors.confirm(user, login.code);
        return codes !== undefined;
      });
      if (codes === undefined) return await refuse(ports, login, refusal);
      events.secondFactorChanged('set');
      return codes;
    },
    renewRecoveryCodes: async (login) => {
      const codes = await secondFactors.renewRecoveryCodes(await requireFactor(login));
      events.secondFactorChanged('codes_renewed');
      return codes;
    },
    remove: async (login) => {
      await secondFactors.remove(await requireFactor(login));
      events.secondFactorChanged('removed');
    },
  };
}

/**
 * The user with this password who has no second factor yet, and for whom `accepts` is true: all of it is one attempt.
 * @throws CodedError `second_factor_exists`, `password_change_required`, `too_many_requests`
 */
async function provePassword(
  ports: Ports,
  login: Login,
  accepts: (user: PartnerUser) => Promise<boolean>,
): Promise<PartnerUser | undefined> {
  const { directory, secondFactors, passwords, events } = ports;
  return await judged(ports, login, async () => {
    const user = await directory.authenticatePartnerUser(login.userName, login.password, login.clientAddress);
    if (user === undefined) return undefined;
    if ((await secondFactors.find(user)).state !== undefined) throw new CodedError('second_factor_exists');
    const demand = await passwords.demandOn(user);
    if (demand !== undefined) {
      events.loginTurnedAway(login, 'password_change_required');
      throw new CodedError('password_change_required', { detail: explainDemand(demand) });
    }
    return (await accepts(user)) ? user : undefined;
  });
}

async function refuse({ record, events }: Ports, login: Login, refusal: ProofRefusal): Promise<never> {
  events.loginFailed(login, refusal);
  await record.loginFailed(login.userName, refusal);
  throw new CodedError(refusal);
}
