import type { FolderListingQuery } from '@waybill/contracts/endpoints/files/elements/folder-listing';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { matchesPattern, parseNamePattern } from '@waybill/contracts/values/name-pattern';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Location, Mounts } from '@waybill/directory/access/mounts';
import type { FileAccess } from '../access/file-access.ts';

/** Which elements of a folder are meant. */
export type ElementFilter = Pick<FolderListingQuery, 'filter' | 'type'>;

/** A folder as the user sees it: what its file system holds, and what is mounted in it. */
export interface FolderView {
  readonly path: VirtualPath;
  /** Absent for a folder that is there only because something is mounted below it. */
  readonly location: Location | undefined;
  /** Names that are there because something is mounted there or below, and that the filter lets through. */
  readonly mounted: readonly string[];
  /** Names of the file system that are not to be seen: a mount hides them, or the user may do nothing with them. */
  readonly hidden: readonly string[];
}

/** Reads of a folder what the view shows. */
export type ReadFolderView = <T>(
  mounts: Mounts,
  folder: VirtualPath,
  filter: ElementFilter,
  read: (view: FolderView) => Promise<T>,
) => Promise<T>;

/**
 * What both listing and counting are done in. Who reads the file system finds out whether the folder is there: nothing is
 * looked up before, except where something is mounted in it, or for a refusal.
 * @throws CodedError `path_not_found`, `no_list_permission`
 */
export function createReadFolderView({ access }: { access: FileAccess }): ReadFolderView {
  return async (mounts, folder, filter, read) => {
    const location = mounts.locate(folder);
    if (location && mounts.mountedNames(folder).length === 0 && mounts.decide(folder, 'list').allowed) {
      try {
        return await read({ path: folder, location, mounted: [], hidden: mounts.hiddenNames(folder) });
      } catch (error) {
        if (!isCodedError(error, 'path_not_found', 'not_a_folder')) throw error;
      }
    }
    return read(await openFolderView(access, mounts, folder, filter));
  };
}

async function openFolderView(
  access: FileAccess,
  mounts: Mounts,
  folder: VirtualPath,
  { filter, type }: ElementFilter,
): Promise<FolderView> {
  const { path, location } = await access.openFolder(mounts, folder);
  const names = mounts.mountedNames(path);
  const pattern = parseNamePattern(filter);
  const mounted = type === 'files' ? [] : names.filter((name) => matchesPattern(name, pattern));
  return { path, location, mounted, hidden: [...names, ...mounts.hiddenNames(path)] };
}
