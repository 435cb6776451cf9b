import type { Principal } from '@waybill/access/principal';
import type { LoginSessionView } from '@waybill/contracts/endpoints/access/login-session-endpoints';

/** The logins of manager users that have not ended. */
export interface LoginSessions {
  /**
   * Those of the caller, or of all users if the caller may read them, newest first.
   * @throws CodedError `not_permitted` to an API key that may not read those of all users
   */
  list(
    by: Principal,
    wanted: { readonly user: string | undefined; readonly before: string | undefined; readonly limit: number },
  ): Promise<readonly LoginSessionView[]>;
  /**
   * @throws CodedError `entity_unknown`, also for sessions of others if the caller may not end them; `not_permitted` to an API key that
   * may not end those of all users
   */
  revoke(by: Principal, id: number): Promise<void>;
}
