import { CodedError } from '@waybill/contracts/errors/coded-error';
import { permissionRefusals, type Permission } from '@waybill/contracts/values/permission';
import { joinVirtualPath, segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Mounts } from '../access/mounts.ts';
import type { Standing } from './load-standings.ts';
import { type LoginProof, whyLoginEnded } from './login-proof.ts';

/** A permission on a file, wherever its file system is mounted. */
export interface NeededPermission {
  readonly vfsId: string;
  /** Inside the VFS. */
  readonly path: VirtualPath;
  readonly permission: Permission;
}

/** A condition that must hold during a session or a transfer. */
export interface Claim {
  readonly login: LoginProof;
  readonly needs: readonly NeededPermission[];
}

/**
 * The reason why a claim does not hold now; undefined if it holds. The codes are `not_authenticated`,
 * `connection_contract_missing` and the refusals of permissions.
 */
export function refusalOfClaim(standing: Standing | undefined, { login, needs }: Claim): CodedError | undefined {
  const ended = whyLoginEnded(standing?.user, login);
  if (ended !== undefined) return new CodedError('not_authenticated', { detail: ended });
  const mounts = standing?.mounts;
  if (mounts === undefined || mounts.mounts.length === 0) return new CodedError('connection_contract_missing');
  const missing = needs.find((need) => !mayStill(mounts, need));
  return missing && new CodedError(permissionRefusals[missing.permission]);
}

/** Whether a mount makes the file accessible to the user, with this permission. */
function mayStill(mounts: Mounts, { vfsId, path, permission }: NeededPermission): boolean {
  return mounts.mounts.some(({ vfs, mountPath }) => {
    if (vfs.id !== vfsId) return false;
    const seen = joinVirtualPath(mountPath, ...segmentsOf(path));
    return mounts.locate(seen)?.vfs.id === vfsId && mounts.decide(seen, permission).allowed;
  });
}
