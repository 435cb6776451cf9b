import type { UserName } from '@waybill/contracts/values/user-name';
import type { Location, Mounts } from '@waybill/directory/access/mounts';
import type { LoginProof } from '@waybill/directory/standing/login-proof';
import type { UserHold } from '@waybill/directory/standing/user-hold';
import type { PartnerUser } from '@waybill/directory/users/partner-user';

/** A user as receipts and uploads refer to it: by the id, because another user can get the name of one who was deleted. */
export type OwningUser = Pick<PartnerUser, 'id'>;

/** The same with the name, of what is kept by the name and counts from when the user was created. */
export type NamedUser = Pick<PartnerUser, 'id' | 'name'>;

/** A logged-in user, as stored now. */
export interface AccountHolder {
  readonly userName: UserName;
  readonly sessionId: string;
  /** The key of the login session in its store. */
  readonly sessionHandle: string;
  readonly user: PartnerUser;
  readonly login: LoginProof;
}

/** A logged-in user with the tree that the user sees on this server, as it is now. */
export interface Caller extends AccountHolder {
  readonly mounts: Mounts;
}

/** A caller whose request moves content, which ends when the caller loses the right to it. */
export interface TransferringCaller extends Caller {
  readonly hold: UserHold;
  /** What administrators see of it; `path` is set when it becomes known. */
  readonly transfer: { path: string | null };
}

/** The right to an upload. Without it the request ends too; it has a life of its own, as a request may hold several uploads. */
export function rightToUpload({ hold, mounts }: TransferringCaller, { vfs, path }: Location): UserHold {
  const need = { vfsId: vfs.id, path, permission: 'upload' } as const;
  hold.require([need], mounts);
  return hold.branch(need, mounts);
}
