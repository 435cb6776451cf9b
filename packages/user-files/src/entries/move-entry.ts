import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { parentOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Mounts } from '@waybill/directory/access/mounts';
import type { Renamed, RenameEnds, RenameOptions } from '@waybill/filebox/entries/rename-entry';
import { mayAskFor, requireSight, requireVersionSight } from '../permissions/disclosure.ts';
import { requireFolder } from '../permissions/file-access.ts';
import type { FileUser } from '../permissions/file-user.ts';
import { missingFile } from '../permissions/refusals.ts';
import {
  refuseMountFolder,
  requireOperation,
  requirePermission,
  requireThroughout,
} from '../permissions/require-permission.ts';
import { restatePathError } from '../permissions/restate-path-error.ts';
import { requireLocation } from '../permissions/user-tree.ts';
import { findAt } from '../permissions/what-is-there.ts';

/** What is moved where. `overwrite`: a file of the new name is replaced; otherwise it is an error. */
export interface Move {
  readonly from: VirtualPath;
  readonly to: VirtualPath;
  readonly overwrite: boolean;
}

/** What else the filebox is told. `asksVersion`: `check` looks at the version that is moved. */
export type MoveOptions = Pick<RenameOptions, 'open' | 'check'> & { readonly asksVersion?: boolean };

/**
 * Renames or moves. The old path needs `rename`. What arrives in another folder, comes under other rules, or replaces a file
 * needs there the permission to make it. As permissions apply to paths, a folder is moved only if they hold for everything that
 * may be in it. To replace nothing asks what is there, which not every user may ask.
 * @throws CodedError `no_rename_permission`, `no_list_permission`, `no_write_permission`, `no_create_folder_permission`,
 * `path_not_found`, `file_not_found`, `upload_in_progress`, `already_exists`, `operation_unsupported` (into another file system)
 */
export async function moveEntry(
  user: FileUser<'rename'>,
  move: Move,
  { asksVersion = false, ...options }: MoveOptions = {},
): Promise<Renamed> {
  const { from, to, overwrite } = move;
  const access = await user.access();
  const source = await requireOperation(user, access, from, 'rename', { onMount: 'no_rename_permission' });
  if (asksVersion) requireVersionSight(access, from);
  refuseMountFolder(access, to, 'already_exists');
  const target = requireLocation(access, to);
  await refuseUnseen(user, access, move);
  if (source.vfs.id !== target.vfs.id) {
    throw new CodedError('operation_unsupported', { detail: 'Nothing can be moved into another file system' });
  }
  const ends = [
    { path: from, location: source },
    { path: to, location: target },
  ] as const;
  try {
    return await restatePathError(ends, () =>
      user.store.rename(source.vfs.id, source.path, target.path, {
        ...options,
        origin: user.originAt(source),
        overwrite,
        authorize: (found) => authorize(user, access, move, found),
      }),
    );
  } catch (error) {
    // Only an unfinished upload is there.
    const isUnseen = user.door.showsUploadsOf === undefined && isCodedError(error, 'upload_in_progress');
    if (isUnseen) throw missingFile(from);
    if (error instanceof ArrivalRefused) await requirePermission(user, access, to, error.permission, { makes: true });
    throw error;
  }
}

type ArrivalPermission = 'upload' | 'createFolder';

/** What is moved may not arrive; `requirePermission` says why, without telling what the user does not see. */
class ArrivalRefused extends Error {
  readonly permission: ArrivalPermission;

  constructor(permission: ArrivalPermission) {
    super(`'${permission}' is not permitted at the new path`);
    this.permission = permission;
  }
}

function arrives(access: Mounts, { from, to }: Move): boolean {
  return parentOf(from) !== parentOf(to) || access.hasOwnRules(from) || access.hasOwnRules(to);
}

/**
 * Refuses what can be refused by the permissions alone before the new path is looked at: a user to whom nothing is shown there
 * does not learn whether its folder is there, or whether the name is free.
 */
async function refuseUnseen(user: FileUser<'rename'>, access: Mounts, move: Move): Promise<void> {
  const { from, to, overwrite } = move;
  const asks = mayAskFor(user, access, to);
  const needsArrival = arrives(access, move) || (overwrite && !asks);
  const mayArrive = (['upload', 'createFolder'] as const).some((needed) => access.decide(to, needed).allowed);
  if ((mayArrive || !needsArrival) && (overwrite || asks)) return;
  const entry = await findAt(user, access, from);
  if (entry === undefined) {
    await requireFolder(user, parentOf(from), 'rename');
    throw missingFile(from);
  }
  const needed = entry.kind === 'folder' ? 'createFolder' : 'upload';
  if (needsArrival) await requirePermission(user, access, to, needed, { makes: true });
  if (!overwrite) await requireSight(user, access, to);
}

/** Decides by what is at both ends while nothing of it can change. */
function authorize(user: FileUser<'rename'>, access: Mounts, move: Move, { source, target }: RenameEnds): void {
  const { from, to, overwrite } = move;
  const isFolder = source === 'folder';
  if (isFolder) requireThroughout(access, from, 'rename');
  const replaces = overwrite && from !== to && (!mayAskFor(user, access, to) || target !== undefined);
  if (!arrives(access, move) && !replaces) return;
  const needed = isFolder ? 'createFolder' : 'upload';
  if (!access.decide(to, needed).allowed) throw new ArrivalRefused(needed);
  if (isFolder) for (const below of ['createFolder', 'upload'] as const) requireThroughout(access, to, below);
}
