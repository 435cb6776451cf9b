import { isCodedError } from '@waybill/contracts/coded-error';
import type { FolderListingQuery } from '@waybill/contracts/endpoints/files/folder-listing';
import { joinVirtualPath, type VirtualPath } from '@waybill/contracts/virtual-path';
import { matchesPattern } from '@waybill/directory/matches-pattern';
import type { Location, Mounts } from '@waybill/directory/mounts';
import type { Filebox } from '@waybill/filebox/filebox';
import type { FileAccess } from './file-access.ts';

/** Which elements of a folder are meant. */
export type ElementFilter = Pick<FolderListingQuery, 'filter' | 'type'>;

/** A folder as the user sees it: what its file system holds, and what is mounted in it. */
export interface FolderView {
  readonly path: VirtualPath;
  /** Absent for a folder that is there only because something is mounted below it. */
  readonly location: Location | undefined;
  /** Names that are there because something is mounted there or below, and that the filter lets through. */
  readonly mounted: readonly string[];
  /** Those of them that hide an element of the file system that the filter lets through. */
  readonly hidden: ReadonlySet<string>;
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
 * looked up before, except for what is mounted in it, or for a refusal.
 * @throws CodedError `path_not_found`, `no_list_permission`
 */
export function createReadFolderView(ports: { filebox: Pick<Filebox, 'find'>; access: FileAccess }): ReadFolderView {
  return async (mounts, folder, filter, read) => {
    const location = mounts.locate(folder);
    if (location && mounts.mountedNames(folder).length === 0 && mounts.decide(folder, 'list').allowed) {
      try {
        return await read({ path: folder, location, mounted: [], hidden: new Set() });
      } catch (error) {
        if (!isCodedError(error, 'path_not_found', 'not_a_folder')) throw error;
      }
    }
    return read(await openFolderView(ports, mounts, folder, filter));
  };
}

async function openFolderView(
  { filebox, access }: { filebox: Pick<Filebox, 'find'>; access: FileAccess },
  mounts: Mounts,
  folder: VirtualPath,
  { filter, type }: ElementFilter,
): Promise<FolderView> {
  const { path, location } = await access.openFolder(mounts, folder);
  const names = mounts.mountedNames(path).filter((name) => matchesPattern(name, filter));
  const mounted = type === 'files' ? [] : names;
  const hidden = new Set<string>();
  for (const name of location === undefined ? [] : names) {
    const entry = location && (await filebox.find(location.vfs.id, joinVirtualPath(location.path, name)));
    if (entry && (type === 'all' || entry.kind === (type === 'files' ? 'file' : 'folder'))) hidden.add(name);
  }
  return { path, location, mounted, hidden };
}
