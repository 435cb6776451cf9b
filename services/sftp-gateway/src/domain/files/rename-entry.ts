import { CodedError } from '@waybill/contracts/errors/coded-error';
import { parentOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Mounts } from '@waybill/directory/access/mounts';
import type { RenameEnds } from '@waybill/filebox/entries/rename-entry';
import { relocateCommitted } from './find-committed.ts';
import type { FileSession } from './session/file-session.ts';
import { mayAskFor, requirePermission, requireSight, requireThroughout } from './session/require-permission.ts';
import { namedPlace, refuseMountFolder, requireLocation } from './session/user-tree.ts';

/** What is renamed to what. `overwrite`: a file of the new name is replaced; otherwise it is an error. */
export interface Renaming {
  readonly from: VirtualPath;
  readonly to: VirtualPath;
  readonly overwrite: boolean;
}

/**
 * Renames or moves. The old path needs `rename`; what arrives in another folder, comes under other rules, or replaces a
 * file, needs there what making it would need. As permissions go by path, a folder takes along only what they hold for all
 * through it. To replace nothing asks what is there, which not every user may ask. What the session has open moves along.
 * @throws CodedError `no_rename_permission`, `no_list_permission`, `no_write_permission`, `no_create_folder_permission`, `path_not_found`,
 * `file_not_found`, `upload_in_progress`, `already_exists`, `operation_unsupported` (into another file system)
 */
export async function renameEntry(session: FileSession, renaming: Renaming): Promise<void> {
  const { from, to, overwrite } = renaming;
  const { store, openFiles } = session;
  const access = await session.access();
  refuseMountFolder(access, from, 'no_rename_permission');
  refuseMountFolder(access, to, 'already_exists');
  const source = requireLocation(access, from);
  const target = requireLocation(access, to);
  await requirePermission(session, access, from, 'rename');
  await refuseArrivalOfAnything(session, access, renaming);
  if (!overwrite) requireSight(access, to);
  if (source.vfs.id !== target.vfs.id) {
    throw new CodedError('operation_unsupported', { detail: 'A file cannot be moved into another file system' });
  }
  const places = { from: namedPlace(from, source), to: namedPlace(to, target) };
  await relocateCommitted(session, source.vfs.id);
  try {
    const { moved, removed } = await store.rename(source.vfs.id, source.path, target.path, {
      origin: session.originAt(source),
      overwrite,
      temporaryName: session.isTemporary(to),
      open: openFiles.uploads,
      authorize: (ends) => authorize(access, renaming, ends),
    });
    if (from !== to) openFiles.renamed(places.from, places.to, { moved, removed });
  } catch (error) {
    if (error instanceof ArrivalRefused)
      await requirePermission(session, access, to, error.permission, { makes: true });
    throw error;
  }
}

type ArrivalPermission = 'upload' | 'createFolder';

/** What is renamed may not arrive; why is for `requirePermission` to say, which does not tell what the user does not see. */
class ArrivalRefused extends Error {
  readonly permission: ArrivalPermission;

  constructor(permission: ArrivalPermission) {
    super(`'${permission}' is not permitted at the new path`);
    this.permission = permission;
  }
}

function moves(access: Mounts, { from, to }: Renaming): boolean {
  return parentOf(from) !== parentOf(to) || access.hasOwnRules(from) || access.hasOwnRules(to);
}

/** Where nothing may arrive nothing is looked at: whether the new folder is there would be told otherwise. */
async function refuseArrivalOfAnything(session: FileSession, access: Mounts, renaming: Renaming): Promise<void> {
  const { from, to, overwrite } = renaming;
  const { vfs, path } = requireLocation(access, from);
  if (!moves(access, renaming) && (!overwrite || mayAskFor(access, to))) return;
  if ((['upload', 'createFolder'] as const).some((needed) => access.decide(to, needed).allowed)) return;
  const entry = await session.store.find(vfs.id, path);
  await requirePermission(session, access, to, entry?.kind === 'folder' ? 'createFolder' : 'upload', { makes: true });
}

/** Decides by what is at both ends while nothing of it can change. */
function authorize(access: Mounts, renaming: Renaming, { source, target }: RenameEnds): void {
  const { from, to, overwrite } = renaming;
  const isFolder = source === 'folder';
  if (isFolder) requireThroughout(access, from, 'rename');
  const replaces = overwrite && from !== to && (!mayAskFor(access, to) || target !== undefined);
  if (!moves(access, renaming) && !replaces) return;
  const needed = isFolder ? 'createFolder' : 'upload';
  if (!access.decide(to, needed).allowed) throw new ArrivalRefused(needed);
  if (isFolder) for (const below of ['createFolder', 'upload'] as const) requireThroughout(access, to, below);
}
