import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Permission } from '@waybill/contracts/values/permission';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Mounts } from '@waybill/directory/access/mounts';
import type { Filebox } from '@waybill/filebox/filebox';
import type { Entry } from '@waybill/filebox/model/entry';
import type { Caller } from '../access/caller.ts';
import type { FileAccess } from '../access/file-access.ts';
import type { FileTarget } from '../access/file-target.ts';
import { originOf, type ServerPlace } from '../access/origin-of.ts';
import { assertMayAsk, assertPreconditions, type Preconditions } from '../access/preconditions.ts';
import { refusalOf } from '../access/refusal-of.ts';
import { restatePathError } from '../access/restate-path-error.ts';

/** What moving works with. */
export interface MoveElementPorts {
  readonly filebox: Pick<Filebox, 'rename'>;
  readonly access: FileAccess;
  readonly server: ServerPlace;
}

/** What is to be called how, or to go where. */
export interface Move {
  readonly from: FileTarget;
  readonly to: FileTarget;
  readonly overwrite: boolean;
  /** What has to hold of what is moved. */
  readonly conditions: Preconditions;
}

/**
 * Renames or moves. The old path needs `rename`; what arrives in another folder, comes under other rules, or replaces a
 * file, needs there what making it anew would need. As permissions go by path, a folder takes along only what they hold
 * for all through it. To replace nothing asks what is there, which only who may list may ask.
 * @throws CodedError `no_rename_permission`, `no_list_permission`, `no_write_permission`, `no_create_folder_permission`, `path_not_found`,
 * `file_not_found`, `precondition_failed`, `already_exists`, `path_invalid` (into itself), `operation_unsupported` (into another file system)
 */
export type MoveElement = (caller: Caller, move: Move) => Promise<Entry>;

/** Moves files and folders of a filebox. */
export function createMoveElement({ filebox, access, server }: MoveElementPorts): MoveElement {
  return async (caller, { from, to, overwrite, conditions }) => {
    const { mounts } = caller;
    const { location, entry } = await access.openElement(mounts, from, 'rename');
    assertMayAsk(caller, from, conditions);
    if (entry === undefined) throw new CodedError('file_not_found', { names: { file: from.name } });
    const isFolder = entry.kind === 'folder';
    if (isFolder) requireThroughout(mounts, from.path, 'rename');
    if (mounts.mountedNames(to.path).length > 0) throw new CodedError('already_exists');

    const arrival = isFolder ? 'createFolder' : 'upload';
    const isRuledAnew = mounts.hasOwnRules(from.path) || mounts.hasOwnRules(to.path);
    const isNew = from.folder !== to.folder || overwrite || isRuledAnew;
    // In its own folder, under the same rules, a thing may be called anything that is free.
    const target = isNew ? (await access.openElement(mounts, to, arrival)).location : mounts.locate(to.path);
    if (isNew && isFolder)
      for (const needed of ['createFolder', 'upload'] as const) requireThroughout(mounts, to.path, needed);
    if (!overwrite && !mounts.decide(to.path, 'list').allowed) throw refusalOf('list');
    if (target?.mount.mountPath === to.path) throw new CodedError('already_exists');
    if (target?.vfs.id !== location.vfs.id) {
      throw new CodedError('operation_unsupported', { detail: 'Nothing can be moved into another file system' });
    }
    const origin = originOf(server, caller, location);
    const check = (found: Entry): void => assertPreconditions(conditions, found);
    const ends = [
      { target: from, location },
      { target: to, location: target },
    ] as const;
    const { entry: moved } = await restatePathError([...ends], () =>
      filebox.rename(location.vfs.id, location.path, target.path, { origin, overwrite, check }),
    );
    // Without uploads that a session has open there is nothing to move but what was delivered.
    if (!moved) throw new CodedError('file_not_found', { names: { file: from.name } });
    return moved;
  };
}

function requireThroughout(mounts: Mounts, path: VirtualPath, permission: Permission): void {
  if (!mounts.decideThroughout(path, permission).allowed) throw refusalOf(permission);
}
