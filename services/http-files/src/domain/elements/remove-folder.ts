import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Filebox } from '@waybill/filebox/filebox';
import type { Caller } from '../access/caller.ts';
import type { FileAccess } from '../access/file-access.ts';
import type { FileTarget } from '../access/file-target.ts';
import { originOf, type ServerPlace } from '../access/origin-of.ts';
import { refusalOf } from '../access/refusal-of.ts';
import { restatePathError } from '../access/restate-path-error.ts';

/** What removing works with. */
export interface RemoveFolderPorts {
  readonly filebox: Pick<Filebox, 'deleteFolder'>;
  readonly access: FileAccess;
  readonly server: ServerPlace;
}

/**
 * Deletes an empty folder, or one with all that is in it: nothing of that may be kept from the user.
 * @throws CodedError `path_not_found`, `no_delete_permission`, `not_a_folder`, `folder_not_empty`
 */
export type RemoveFolder = (caller: Caller, target: FileTarget, options: { recursive: boolean }) => Promise<void>;

/** Deletes folders of a filebox. */
export function createRemoveFolder({ filebox, access, server }: RemoveFolderPorts): RemoveFolder {
  return async (caller, target, { recursive }) => {
    const { mounts } = caller;
    const { location, entry } = await access.openElement(mounts, target, 'delete');
    if (entry === undefined) throw new CodedError('path_not_found', { names: { path: target.path } });
    if (recursive && !mounts.decideThroughout(target.path, 'delete').allowed) throw refusalOf('delete');
    const origin = originOf(server, caller, location);
    const { vfs, path } = location;
    await restatePathError([{ target, location }], () => filebox.deleteFolder(vfs.id, path, { origin, recursive }));
  };
}
