import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { PartnerSecondFactors } from '@waybill/directory/accounts/partner-second-factors';
import type { Directory } from '@waybill/directory/directory';
import type { PartnerUser } from '@waybill/directory/users/partner-user';
import { judgeLogin } from '@waybill/login-throttle/judge-login';
import type { LoginAttempt, LoginThrottle } from '@waybill/login-throttle/login-throttle';
import type { LoginEvents, LoginMethod, ProofRefusal } from './login-events.ts';

/** The credentials of a user. */
export interface Login extends LoginAttempt {
  readonly password: string;
  /** Of the second factor. */
  readonly code?: string | undefined;
}

/** A user whose credentials are right. */
export interface ProvedUser {
  readonly user: PartnerUser;
  readonly method: LoginMethod;
}

/** What credentials are checked with. */
export interface ProofPorts {
  readonly directory: Pick<Directory, 'authenticatePartnerUser'>;
  readonly secondFactors: PartnerSecondFactors;
  readonly throttle: LoginThrottle;
  readonly events: Pick<LoginEvents, 'loginThrottled' | 'loginTurnedAway'>;
}

/**
 * The user with this password and, if there is a second factor, this code. Both are checked as one attempt of the throttle.
 * @throws CodedError `second_factor_required` without a code, which is no failure; `too_many_requests`
 */
export async function proveUser(ports: ProofPorts, login: Login): Promise<ProvedUser | ProofRefusal> {
  const { directory, secondFactors, events } = ports;
  const { password, code, ...attempt } = login;
  let refusal: ProofRefusal = 'invalid_credentials';
  const proved = await judged(ports, attempt, async () => {
    const user = await directory.authenticatePartnerUser(attempt.userName, password, attempt.clientAddress);
    if (user === undefined) return undefined;
    if ((await secondFactors.demandOn(user)) !== 'code') return { user, method: 'password' } as const;
    if (code === undefined) {
      events.loginTurnedAway(attempt, 'second_factor_required');
      throw new CodedError('second_factor_required');
    }
    refusal = 'second_factor_refused';
    const method = await secondFactors.prove(user, code);
    return method && { user, method };
  });
  return proved ?? refusal;
}

/** Checks an attempt under the throttle. @throws CodedError `too_many_requests`, and errors of `find` */
export async function judged<U>(
  { throttle, events }: Pick<ProofPorts, 'throttle'> & { readonly events: Pick<LoginEvents, 'loginThrottled'> },
  { userName, clientAddress }: LoginAttempt,
  find: () => Promise<U | undefined>,
): Promise<U | undefined> {
  const attempt = { userName, clientAddress };
  try {
    return await judgeLogin(throttle, attempt, find);
  } catch (error) {
    if (isCodedError(error, 'too_many_requests')) events.loginThrottled(attempt);
    throw error;
  }
}
