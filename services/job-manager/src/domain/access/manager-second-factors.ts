import type { Principal } from '@waybill/access/principal';
import type { SecondFactors } from '@waybill/access/second-factors/second-factors';
import type { UserName } from '@waybill/contracts/values/user-name';
import type { ManagerUser } from '@waybill/directory/users/manager-user';

/** Where the second factors of manager users are kept. What changes is audited. */
export interface ManagerSecondFactors extends Pick<SecondFactors, 'find' | 'begin' | 'prove'> {
  /** Whether the account policy demands them. */
  isRequired(): Promise<boolean>;
  /** Ends all logins too. `undefined` for a wrong code. @throws CodedError `second_factor_exists`, `too_many_requests` */
  confirm(user: ManagerUser, code: string): Promise<readonly string[] | undefined>;
  renewRecoveryCodes(user: ManagerUser): Promise<readonly string[]>;
  remove(user: ManagerUser): Promise<void>;
  /** @throws CodedError `entity_unknown`, `not_permitted` */
  reset(by: Principal, userName: UserName): Promise<void>;
}
