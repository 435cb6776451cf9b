import type { FolderListingQuery } from '@waybill/contracts/endpoints/files/elements/folder-listing';
import { matchesPattern, parseNamePattern } from '@waybill/contracts/values/name-pattern';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Mounts } from '@waybill/directory/access/mounts';
import type { Filebox } from '@waybill/filebox/filebox';
import { readFolder, type FolderView } from '@waybill/user-files/folders/read-folder';
import { lookerOf } from '../access/file-user-of.ts';

/** Which elements of a folder are meant. */
export type ElementFilter = Pick<FolderListingQuery, 'filter' | 'type'>;

/** Reads of a folder what the user sees and the filter lets through. */
export type ReadFolderView = <T>(
  mounts: Mounts,
  folder: VirtualPath,
  filter: ElementFilter,
  read: (view: FolderView) => Promise<T>,
) => Promise<T>;

/**
 * What both listing and counting are done in; `user-files` decides what is shown.
 * @throws CodedError `path_not_found`, `no_list_permission`
 */
export function createReadFolderView({ filebox }: { filebox: Pick<Filebox, 'find'> }): ReadFolderView {
  return (mounts, folder, { filter, type }, read) => {
    const pattern = parseNamePattern(filter);
    const passes = (name: string): boolean => type !== 'files' && matchesPattern(name, pattern);
    return readFolder(lookerOf(filebox, mounts), folder, (view) =>
      read({ ...view, mounted: view.mounted.filter(passes) }),
    );
  };
}
