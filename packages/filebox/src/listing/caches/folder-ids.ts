import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Queryable } from '@waybill/postgres/database';
import { requireFolder } from '../../entries/find-entry.ts';
import type { ListedFolder } from '../sql/listed-folder.ts';

/** The size of the cache. */
const foldersAtMost = 10_000;

/**
 * A cache of folder ids, so that one statement reads a folder and its content. That statement must check with
 * `folderIsThere` that the id is still the folder's.
 */
export interface FolderIds {
  /** @throws CodedError `path_not_found`, `not_a_folder` */
  find(db: Queryable, vfsId: string, path: VirtualPath): Promise<ListedFolder>;
  forget(folder: ListedFolder): void;
}

/** A cache that evicts the oldest lookups first. */
export function createFolderIds(): FolderIds {
  const ids = new Map<string, string>();
  return {
    find: async (db, vfsId, path) => {
      const known = ids.get(keyOf(vfsId, path));
      if (known !== undefined) return { vfsId, path, id: known };
      const { id } = await requireFolder(db, vfsId, path);
      ids.set(keyOf(vfsId, path), id);
      const [oldest] = ids.keys();
      if (ids.size > foldersAtMost && oldest !== undefined) ids.delete(oldest);
      return { vfsId, path, id };
    },
    forget: ({ vfsId, path }) => {
      ids.delete(keyOf(vfsId, path));
    },
  };
}

function keyOf(vfsId: string, path: VirtualPath): string {
  return `${vfsId} ${path}`;
}
