import type { UserName } from '@waybill/contracts/values/user-name';

/** A user of an outside issuer. */
export interface OidcLink {
  readonly issuer: string;
  readonly subject: string;
}

/** A user of the management interfaces. */
export interface ManagerUser {
  readonly id: string;
  readonly name: UserName;
  /** A PHC string; undefined for a user who has not set a password yet. */
  readonly passwordHash: string | undefined;
  readonly roles: readonly string[];
  /** A disabled user cannot log in. */
  readonly enabled: boolean;
  /** Who the user is at an outside issuer. */
  readonly oidc: OidcLink | undefined;
}
