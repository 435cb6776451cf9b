import { CodedError } from '@waybill/contracts/coded-error';
import { parentOf, type VirtualPath } from '@waybill/contracts/virtual-path';
import { explainUnfinished } from './explain-unfinished.ts';
import type { FileSession } from './file-session.ts';
import { mayAskFor, requirePermission, requireSight, requireThroughout } from './require-permission.ts';
import { refuseMountFolder, requireLocation } from './user-tree.ts';

/** What is renamed to what. `overwrite`: a file of the new name is replaced; otherwise it is an error. */
export interface Renaming {
  readonly from: VirtualPath;
  readonly to: VirtualPath;
  readonly overwrite: boolean;
}

/**
 * Renames or moves. The old path needs `rename`; what arrives in another folder, comes under other rules, or replaces a
 * file, needs there what making it anew would need. As permissions go by path, a folder takes along only what they hold
 * for all through it. To replace nothing asks what is there, which not everybody may ask.
 * @throws CodedError `no_rename_permission`, `no_list_permission`, `no_write_permission`, `no_create_folder_permission`, `path_not_found`,
 * `file_not_found`, `upload_in_progress`, `already_exists`, `operation_unsupported` (into another file system)
 */
export async function renameEntry(session: FileSession, { from, to, overwrite }: Renaming): Promise<void> {
  const { store } = session;
  const access = await session.access();
  refuseMountFolder(access, from, 'no_rename_permission');
  refuseMountFolder(access, to, 'already_exists');
  const source = requireLocation(access, from);
  const target = requireLocation(access, to);
  await requirePermission(session, access, from, 'rename');

  const entry = await store.find(source.vfs.id, source.path);
  const isFolder = entry?.kind === 'folder';
  if (isFolder) requireThroughout(access, from, 'rename');
  const moves = parentOf(from) !== parentOf(to) || access.hasOwnRules(from) || access.hasOwnRules(to);
  const replaces =
    overwrite && (!mayAskFor(access, to) || (await store.find(target.vfs.id, target.path)) !== undefined);
  if (moves || replaces) {
    await requirePermission(session, access, to, isFolder ? 'createFolder' : 'upload', { makes: true });
    if (isFolder) for (const needed of ['createFolder', 'upload'] as const) requireThroughout(access, to, needed);
  }
  if (!overwrite) requireSight(access, to);
  if (source.vfs.id !== target.vfs.id) {
    throw new CodedError('operation_unsupported', { detail: 'A file cannot be moved into another file system' });
  }
  if (from === to) return;
  await explainUnfinished(session, source, () =>
    store.rename(source.vfs.id, source.path, target.path, {
      origin: session.originAt(source),
      overwrite,
      temporaryName: session.isTemporary(to),
    }),
  );
}
