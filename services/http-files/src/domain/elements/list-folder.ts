import type { FolderListingQuery } from '@waybill/contracts/endpoints/files/elements/folder-listing';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Mounts } from '@waybill/directory/access/mounts';
import type { Filebox } from '@waybill/filebox/filebox';
import type { FolderView } from '@waybill/user-files/folders/read-folder';
import type { ListedElement } from './listed-element.ts';
import type { ReadFolderView } from './read-folder-view.ts';

/** One page of a folder. */
export interface FolderPage {
  readonly path: VirtualPath;
  readonly elements: readonly ListedElement[];
  /** Elements on all pages. */
  readonly totalCount: number;
}

/** Which page is meant. */
export type FolderPageQuery = Omit<FolderListingQuery, 'attributes'>;

/** What a listing works with. */
export interface ListFolderPorts {
  readonly filebox: Pick<Filebox, 'list'>;
  readonly readFolderView: ReadFolderView;
}

/** Lists folders. What is mounted in one comes first. */
export type ListFolder = (mounts: Mounts, folder: VirtualPath, query: FolderPageQuery) => Promise<FolderPage>;

/** Lists folders of a filebox, and what is mounted in them. */
export function createListFolder({ filebox, readFolderView }: ListFolderPorts): ListFolder {
  return (mounts, folder, query) =>
    readFolderView(mounts, folder, query, async (view) => {
      const { path, mounted } = view;
      const { start, limit } = query;
      const inFront = mounted.slice(start, start + limit);
      const own = await listOwn(filebox, view, {
        ...query,
        start: Math.max(0, start - mounted.length),
        limit: limit - inFront.length,
      });
      return {
        path,
        elements: [
          ...inFront.map((name) => ({ name, entry: undefined })),
          ...own.entries.map((entry) => ({ name: entry.name, entry })),
        ],
        totalCount: own.totalCount + mounted.length,
      };
    });
}

/** A page of what the file system itself holds, but for what is not to be seen. */
async function listOwn(
  filebox: Pick<Filebox, 'list'>,
  { location, hidden: without }: FolderView,
  { filter: pattern, ...query }: FolderPageQuery,
) {
  if (location === undefined) return { entries: [], totalCount: 0 };
  return filebox.list(location.vfs.id, location.path, { pattern, without, ...query });
}
