import type { SecondFactors } from '@waybill/access/second-factors/second-factors';
import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { Directory } from '@waybill/directory/directory';
import type { ManagerUser } from '@waybill/directory/users/manager-user';
import { judgeLogin } from '@waybill/login-throttle/judge-login';
import type { LoginThrottle } from '@waybill/login-throttle/login-throttle';
import type { AccessRecord } from './access-record.ts';
import type { LoginEvents, LoginMethod, ProofRefusal } from './login-events.ts';

/** Who tries, and from where. */
export interface LoginAttempt {
  readonly userName: UserName;
  readonly password: string;
  /** Of the second factor. */
  readonly code?: string | undefined;
  readonly clientAddress: string;
}

/** A user whose credentials are right. */
export interface ProvedIdentity {
  readonly user: ManagerUser;
  readonly method: LoginMethod;
}

/** What credentials are checked with. */
export interface ProofPorts {
  readonly directory: Pick<Directory, 'authenticateManagerUser'>;
  readonly secondFactors: Pick<SecondFactors, 'find' | 'prove'>;
  readonly throttle: LoginThrottle;
  readonly record: Pick<AccessRecord, 'note'>;
  readonly events: Pick<LoginEvents, 'loginFailed' | 'loginThrottled' | 'secondFactorDue'>;
}

/**
 * The user with this password and, if there is a second factor, this code. Both are checked as one attempt of the throttle.
 * @throws CodedError `second_factor_required` without a code, which is no failure; `too_many_requests`
 */
export async function proveIdentity(ports: ProofPorts, attempt: LoginAttempt): Promise<ProvedIdentity | ProofRefusal> {
  const { directory, secondFactors } = ports;
  const { userName, password, code } = attempt;
  let refusal: ProofRefusal = 'invalid_credentials';
  const proved = await judged(ports, attempt, async () => {
    const user = await directory.authenticateManagerUser(userName, password);
    if (!user) return undefined;
    if ((await secondFactors.find(user.name)) === undefined) return { user, method: 'password' } as const;
    if (code === undefined) return await turnAway(ports, user, 'second_factor_required');
    refusal = 'second_factor_refused';
    const method = await secondFactors.prove(user.name, code);
    return method && { user, method };
  });
  return proved ?? refusal;
}

/** As `proveIdentity`, and a refusal is audited and thrown. @throws CodedError also `invalid_credentials`, `second_factor_refused` */
export async function requireIdentity(ports: ProofPorts, attempt: LoginAttempt): Promise<ProvedIdentity> {
  const proved = await proveIdentity(ports, attempt);
  return typeof proved === 'string' ? await refuse(ports, attempt.userName, proved) : proved;
}

/** Audits wrong credentials. @throws CodedError, always */
export async function refuse(
  { record, events }: ProofPorts,
  userName: UserName,
  refusal: ProofRefusal,
): Promise<never> {
  events.loginFailed(userName, refusal);
  await record.note('managerLoginFailed', userName, { outcome: refusal });
  throw new CodedError(refusal);
}

/** Audits a right password that is not enough. @throws CodedError, always */
export async function turnAway(
  { record, events }: Pick<ProofPorts, 'record' | 'events'>,
  { name }: ManagerUser,
  code: 'second_factor_required' | 'second_factor_setup_required',
): Promise<never> {
  const error = new CodedError(code);
  events.secondFactorDue(name, code);
  await record.note('managerSecondFactorDue', name, { outcome: code, reason: error.message });
  throw error;
}

/** Checks an attempt under the throttle. @throws CodedError `too_many_requests`, and errors of `find` */
export async function judged<U>(
  { throttle, events }: Pick<ProofPorts, 'throttle' | 'events'>,
  attempt: LoginAttempt,
  find: () => Promise<U | undefined>,
): Promise<U | undefined> {
  try {
    return await judgeLogin(throttle, attempt, find);
  } catch (error) {
    if (isCodedError(error, 'too_many_requests')) events.loginThrottled(attempt.userName);
    throw error;
  }
}
