import type { SecondFactorProof } from '@waybill/access/second-factors/second-factors';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { BannedSubject } from '@waybill/login-throttle/login-ban';

/** How a manager user has logged in with a password. */
export type LoginMethod = 'password' | SecondFactorProof;

/** Why credentials are wrong. */
export type ProofRefusal = 'invalid_credentials' | 'second_factor_refused';

/** Events of logins, for operators. */
export interface LoginEvents {
  loginSucceeded(userName: UserName, method: LoginMethod | 'oidc'): void;
  /** A login with the outside issuer was refused. */
  oidcLoginRefused(error: Error): void;
  loginFailed(userName: UserName, refusal: ProofRefusal): void;
  /** A right password that is not enough: a code is missing, or a second factor. */
  secondFactorDue(userName: UserName, code: 'second_factor_required' | 'second_factor_setup_required'): void;
  /** A login whose password must be changed first. */
  passwordDue(userName: UserName): void;
  /** A user has changed a password, or was refused to. */
  passwordChange(outcome: 'changed' | 'invalid_credentials' | 'password_refused'): void;
  loginThrottled(userName: UserName, method?: 'password' | 'oidc'): void;
  /** `exposure` is the setting by which other machines reach the service. */
  demoPasswordRefused(userName: string, exposure: string): void;
  /** Too many failures: logins of the subject are refused from now on. */
  loginsBanned(subject: BannedSubject, seconds: number): void;
  banNotRecorded(error: unknown): void;
  throttleUnreachable(error: unknown): void;
}
