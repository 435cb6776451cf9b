import type { Principal } from '@waybill/access/principal';
import type { SecondFactorState, TotpEnrolment } from '@waybill/access/second-factors/second-factors';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { Directory } from '@waybill/directory/directory';
import type { ManagerUser } from '@waybill/directory/users/manager-user';
import type { ManagerSecondFactors } from './manager-second-factors.ts';
import { judged, type LoginAttempt, type ProofPorts, refuse, requireIdentity } from './prove-identity.ts';

/** The second factors of manager users, as they manage them. */
export interface OwnSecondFactors {
  find(userName: UserName): Promise<{
    readonly state: SecondFactorState | undefined;
    readonly isRequired: boolean;
    /** False for users of an outside issuer. */
    readonly isAvailable: boolean;
  }>;
  /** @throws CodedError `invalid_credentials`, `too_many_requests`, `password_change_required`, `second_factor_exists` */
  begin(attempt: LoginAttempt): Promise<TotpEnrolment>;
  /** Returns the recovery codes, and ends all logins. @throws CodedError as `begin`, `second_factor_refused` */
  confirm(attempt: LoginAttempt & { readonly code: string }): Promise<readonly string[]>;
  /** @throws CodedError as a login, `second_factor_absent` */
  renewRecoveryCodes(attempt: LoginAttempt): Promise<readonly string[]>;
  /** @throws CodedError as a login, `second_factor_absent` */
  remove(attempt: LoginAttempt): Promise<void>;
  /** That of another user. @throws CodedError `entity_unknown` without such a user */
  look(userName: UserName): Promise<SecondFactorState | undefined>;
  /** Removes that of another user. @throws CodedError `entity_unknown`, `second_factor_absent`, `not_permitted` */
  reset(by: Principal, userName: UserName): Promise<void>;
}

/** What second factors are managed with. */
export interface SecondFactorPorts extends ProofPorts {
  readonly directory: Pick<Directory, 'authenticateManagerUser' | 'findManagerUser'>;
  readonly secondFactors: ManagerSecondFactors;
  /** @throws CodedError `password_change_required` */
  assertPasswordInForce(user: ManagerUser): Promise<void>;
}

/** The second factors of manager users. Each change proves the password, and the second factor if there is one. */
export function createOwnSecondFactors(ports: SecondFactorPorts): OwnSecondFactors {
  const { directory, secondFactors } = ports;
  const requireFactor = async (attempt: LoginAttempt): Promise<ManagerUser> => {
    const { user, method } = await requireIdentity(ports, attempt);
    if (method !== 'password') return user;
    throw new CodedError('second_factor_absent', { detail: 'You have no second factor' });
  };
  return {
    find: async (userName) => ({
      state: await secondFactors.find(userName),
      isRequired: await secondFactors.isRequired(),
      isAvailable: (await directory.findManagerUser(userName)) !== undefined,
    }),
    begin: async (attempt) => {
      const user = await provePassword(ports, attempt, () => Promise.resolve(true));
      if (!user) return await refuse(ports, attempt.userName, 'invalid_credentials');
      return await secondFactors.begin(user.name);
    },
    confirm: async (attempt) => {
      let codes: readonly string[] | undefined;
      let isPasswordRight = false;
      await provePassword(ports, attempt, async (user) => {
        isPasswordRight = true;
        codes = await secondFactors.confirm(user, attempt.code);
        return codes !== undefined;
      });
      return (
        codes ?? refuse(ports, attempt.userName, isPasswordRight ? 'second_factor_refused' : 'invalid_credentials')
      );
    },
    renewRecoveryCodes: async (attempt) => secondFactors.renewRecoveryCodes(await requireFactor(attempt)),
    remove: async (attempt) => secondFactors.remove(await requireFactor(attempt)),
    look: async (userName) => {
      if ((await directory.findManagerUser(userName)) !== undefined) return await secondFactors.find(userName);
      throw new CodedError('entity_unknown', { detail: `There is no manager user ${userName}` });
    },
    reset: (by, userName) => secondFactors.reset(by, userName),
  };
}

/**
 * The user with this password who has no second factor yet, and for whom `accepts` is true: all of it is one attempt.
 * @throws CodedError `second_factor_exists`, `password_change_required`, `too_many_requests`
 */
async function provePassword(
  ports: SecondFactorPorts,
  attempt: LoginAttempt,
  accepts: (user: ManagerUser) => Promise<boolean>,
): Promise<ManagerUser | undefined> {
  const { directory, secondFactors } = ports;
  return await judged(ports, attempt, async () => {
    const user = await directory.authenticateManagerUser(attempt.userName, attempt.password);
    if (!user) return undefined;
    if ((await secondFactors.find(user.name)) !== undefined) throw new CodedError('second_factor_exists');
    await ports.assertPasswordInForce(user);
    return (await accepts(user)) ? user : undefined;
  });
}
