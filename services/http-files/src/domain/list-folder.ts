import type { FolderListingQuery } from '@waybill/contracts/endpoints/files/folder-listing';
import type { VirtualPath } from '@waybill/contracts/virtual-path';
import type { Mounts } from '@waybill/directory/mounts';
import type { Filebox } from '@waybill/filebox/filebox';
import type { ListedElement } from './listed-element.ts';
import type { FolderView, ReadFolderView } from './read-folder-view.ts';

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
export function createListFolder({ filebox, readFolderView }: ListFolderPorts) {
  return (mounts: Mounts, folder: VirtualPath, query: FolderPageQuery): Promise<FolderPage> =>
    readFolderView(mounts, folder, query, async (view) => {
      const { path, mounted, hidden } = view;
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
        totalCount: own.totalCount - hidden.size + mounted.length,
      };
    });
}

/** A page of what the file system itself holds, without what a mount hides. */
async function listOwn(filebox: Pick<Filebox, 'list'>, { location, hidden }: FolderView, query: FolderPageQuery) {
  if (location === undefined) return { entries: [], totalCount: 0 };
  const { filter: pattern, start, limit, ...order } = query;
  const list = (start: number, limit: number) =>
    filebox.list(location.vfs.id, location.path, { pattern, ...order, start, limit });
  if (hidden.size === 0) return list(start, limit);
  // Hidden names may stand anywhere in the order: read from the beginning, and as many more as there are of them.
  const { entries, totalCount } = await list(0, start + limit + hidden.size);
  const seen = entries.filter(({ name }) => !hidden.has(name));
  return { entries: seen.slice(start, start + limit), totalCount };
}
