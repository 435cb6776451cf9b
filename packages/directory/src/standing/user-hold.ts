import type { Queryable } from '@waybill/postgres/database';
import type { Mounts } from '../access/mounts.ts';
import type { NeededPermission } from './claim.ts';

/** Part of a statement: true while no permission can have changed since the hold was last checked. */
export const unchangedAccess = {
  name: 'access unchanged',
  sql: 'EXISTS (SELECT FROM directory.access_state WHERE version = CAST(:accessVersion AS integer))',
} as const;

/**
 * A user's session or transfer, whose permissions may be withdrawn. It is watched until it is disposed of, and can
 * be passed to the filebox as the right of an upload or a download.
 */
export interface UserHold extends Disposable {
  /** Fires within a second after the rights are withdrawn. The reason is a CodedError, as `refusalOfClaim` gives it. */
  readonly signal: AbortSignal;
  /** Adds permissions, which these mounts granted: from now on the signal also fires when one of them is withdrawn. */
  require(needs: readonly NeededPermission[], grantedBy: Mounts): void;
  /** Another hold of the same login, with a separate permission granted by these mounts. */
  branch(need: NeededPermission, grantedBy: Mounts): UserHold;
  /** A condition for the statement that commits an upload. */
  readonly condition: typeof unchangedAccess;
  bindings(): Readonly<Record<'accessVersion', number>>;
  /** Checks the current permissions within a transaction. @throws CodedError with the reason if one is missing */
  renew(on: Queryable): Promise<void>;
}
