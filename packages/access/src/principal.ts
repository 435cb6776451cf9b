import type { Role } from '@waybill/contracts/resources';

/** Who a bearer token speaks for. */
export interface Principal {
  readonly userName: string;
  readonly roles: readonly Role[];
  /** When the token that says so expires, in milliseconds since 1970. */
  readonly expiresAt?: number;
}
