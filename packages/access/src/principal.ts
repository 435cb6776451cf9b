import type { Role } from '@waybill/contracts/values/resources';
import type { UserName } from '@waybill/contracts/values/user-name';

/** Who a bearer token speaks for. */
export interface Principal {
  readonly userName: UserName;
  readonly roles: readonly Role[];
  /** When the token that says so expires, in milliseconds since 1970. */
  readonly expiresAt?: number;
}
