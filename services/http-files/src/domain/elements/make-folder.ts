import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Filebox } from '@waybill/filebox/filebox';
import type { Caller } from '../access/caller.ts';
import type { FileAccess } from '../access/file-access.ts';
import type { FileTarget } from '../access/file-target.ts';
import { originOf, type ServerPlace } from '../access/origin-of.ts';
import { restatePathError } from '../access/restate-path-error.ts';

/** What making works with. */
export interface MakeFolderPorts {
  readonly filebox: Pick<Filebox, 'createFolder'>;
  readonly access: FileAccess;
  readonly server: ServerPlace;
}

/** Makes a folder. @throws CodedError `path_not_found`, `no_create_folder_permission`, `already_exists` */
export type MakeFolder = (caller: Caller, target: FileTarget) => Promise<void>;

/** Makes folders in a filebox. */
export function createMakeFolder({ filebox, access, server }: MakeFolderPorts): MakeFolder {
  return async (caller, target) => {
    const { mounts } = caller;
    const { location } = await access.openElement(mounts, target, 'createFolder');
    const isMounted = location.mount.mountPath === target.path || mounts.mountedNames(target.path).length > 0;
    if (isMounted) throw new CodedError('already_exists');
    const { vfs, path } = location;
    const origin = originOf(server, caller, location);
    await restatePathError([{ target, location }], () => filebox.createFolder(vfs.id, path, { origin }));
  };
}
