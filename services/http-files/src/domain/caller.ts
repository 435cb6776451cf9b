import type { UserName } from '@waybill/contracts/user-name';
import type { Mounts } from '@waybill/directory/mounts';
import type { PartnerUser } from '@waybill/directory/partner-user';

/** A logged-in user with the tree that the user sees on this server, as it is now. */
export interface Caller {
  readonly userName: UserName;
  readonly sessionId: string;
  readonly user: PartnerUser;
  readonly mounts: Mounts;
}
