import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Mounts } from '@waybill/directory/access/mounts';
import type { Filebox } from '@waybill/filebox/filebox';
import type { ElementFilter, ReadFolderView } from './read-folder-view.ts';

/** What counting works with. */
export interface CountElementsPorts {
  readonly filebox: Pick<Filebox, 'count'>;
  readonly readFolderView: ReadFolderView;
}

/** Counts what a listing with the same filter would show. */
export type CountElements = (mounts: Mounts, folder: VirtualPath, filter: ElementFilter) => Promise<number>;

/** Counts in a filebox, and among the mounts. */
export function createCountElements({ filebox, readFolderView }: CountElementsPorts): CountElements {
  return (mounts, folder, filter) =>
    readFolderView(mounts, folder, filter, async ({ location, mounted, hidden: without }) => {
      if (location === undefined) return mounted.length;
      const { filter: pattern, type } = filter;
      const own = await filebox.count(location.vfs.id, location.path, { pattern, type, without });
      return own + mounted.length;
    });
}
