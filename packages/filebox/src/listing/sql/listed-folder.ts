import { segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';

/** A folder, with the id that it had when it was looked up. */
export interface ListedFolder {
  readonly vfsId: string;
  readonly path: VirtualPath;
  readonly id: string;
}

/** What queries about a folder bind. */
export function folderBindings({ vfsId, path, id }: ListedFolder) {
  return { vfsId, folderNames: segmentsOf(path), folderId: id };
}

/** A condition on what `folderBindings` binds: the folder still has that id. An id never changes its kind. */
export const folderIsThere = 'COALESCE(filebox.entry_at(:vfsId, CAST(:folderNames AS text[])) = :folderId, false)';
