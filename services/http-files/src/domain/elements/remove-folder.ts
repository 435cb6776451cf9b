import type { Filebox } from '@waybill/filebox/filebox';
import { removeFolder } from '@waybill/user-files/entries/remove-folder';
import type { Caller } from '../access/caller.ts';
import type { FileTarget } from '../access/file-target.ts';
import { fileUserOf } from '../access/file-user-of.ts';
import type { ServerPlace } from '../access/origin-of.ts';

/** What removing works with. */
export interface RemoveFolderPorts {
  readonly filebox: Pick<Filebox, 'deleteFolder' | 'find'>;
  readonly server: ServerPlace;
}

/** Deletes a folder. @throws CodedError `path_not_found`, `no_delete_permission`, `not_a_folder`, `folder_not_empty` */
export type RemoveFolder = (caller: Caller, target: FileTarget, options: { recursive: boolean }) => Promise<void>;

/** Deletes folders of a filebox. */
export function createRemoveFolder(ports: RemoveFolderPorts): RemoveFolder {
  return (caller, { path }, options) => removeFolder(fileUserOf(ports, caller), path, options);
}
