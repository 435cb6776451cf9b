import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Permission } from '@waybill/contracts/values/permission';
import { parentOf, rootPath, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Location, Mounts } from '@waybill/directory/access/mounts';
import type { Filebox } from '@waybill/filebox/filebox';
import type { Entry } from '@waybill/filebox/model/entry';
import { refusalOf } from './refusal-of.ts';

/** Looks at what is there before anything is done. */
export interface FolderCheck {
  entryAt(location: Location | undefined): Promise<Entry | undefined>;
  /**
   * That a folder is there. `mayDo`: whether what was asked for is permitted; who may neither do that nor list the folder
   * above is refused alike, whether it is there or not.
   * @throws CodedError `path_not_found`, or the refusal of the permission
   */
  requireFolder(mounts: Mounts, path: VirtualPath, permission: Permission, mayDo: boolean): Promise<void>;
}

/** Looks into the index of a filebox. */
export function createFolderCheck({ filebox }: { filebox: Pick<Filebox, 'find'> }): FolderCheck {
  const entryAt = async (location: Location | undefined) => location && filebox.find(location.vfs.id, location.path);

  const isFolder = async (mounts: Mounts, path: VirtualPath): Promise<boolean> =>
    mounts.mountedNames(path).length > 0 || (await entryAt(mounts.locate(path)))?.kind === 'folder';

  return {
    entryAt,
    requireFolder: async (mounts, path, permission, mayDo) => {
      if (await isFolder(mounts, path)) return;
      let above = path;
      do above = parentOf(above);
      while (above !== rootPath && !(await isFolder(mounts, above)));
      if (!mayDo && !mounts.decide(above, 'list').allowed) throw refusalOf(permission);
      throw new CodedError('path_not_found', { names: { path } });
    },
  };
}
