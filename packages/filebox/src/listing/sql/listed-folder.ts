import { segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';

/** A folder, with the id that it had at its lookup. */
export interface ListedFolder {
  readonly vfsId: string;
  readonly path: VirtualPath;
  readonly id: string;
}

/** The bindings of queries about a folder. */
export function folderBindings({ vfsId, path, id }: ListedFolder) {
  return { vfsId, folderNames: segmentsOf(path), folderId: id };
}

/** A condition on what `folderBindings` binds: the folder still has that id. An id never changes its kind. */
export const folderIsThere = 'COALESCE(filebox.entry_at(:vfsId, CAST(:folderNames AS text[])) = :folderId, false)';
