import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { VfsSpace } from '@waybill/filebox/model/storage';
import { look } from '../entries/look.ts';
import type { FileUser } from '../permissions/file-user.ts';
import { missingFolder } from '../permissions/refusals.ts';
import { requireAnyPermission } from '../permissions/require-permission.ts';

/** The room where something is. */
export interface MeasuredPlace {
  /** Undefined for a folder that only leads to what is mounted. */
  readonly space: VfsSpace | undefined;
  /** The user may write nothing there. */
  readonly readOnly: boolean;
}

/**
 * The room where a path is, by the limits of its VFS and by its storage, for users to whom something is shown there.
 * @throws CodedError `file_not_found`, `path_not_found`, `no_list_permission` (no permission at all)
 */
export async function measureSpace(user: FileUser<'space'>, path: VirtualPath): Promise<MeasuredPlace> {
  const entry = await look(user, path);
  const vfsId = entry?.vfsId ?? (await user.access()).locate(path)?.vfs.id;
  return measureSpaceOf(user, path, vfsId);
}

/**
 * As `measureSpace`, in the VFS in which something was opened at a path, whatever is there now.
 * @throws CodedError `path_not_found` (the VFS is no longer mounted there), `no_list_permission`
 */
export async function measureSpaceOf(
  user: FileUser<'space'>,
  path: VirtualPath,
  vfsId: string | undefined,
): Promise<MeasuredPlace> {
  const access = await user.access();
  const location = access.locate(path);
  if (location?.vfs.id !== vfsId) throw missingFolder(path);
  if (location !== undefined) await requireAnyPermission(user, access, path);
  const readOnly = !access.decide(path, 'upload').allowed;
  return { space: vfsId === undefined ? undefined : await user.store.space(vfsId), readOnly };
}
