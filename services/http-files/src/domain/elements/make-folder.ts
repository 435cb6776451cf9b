import type { Filebox } from '@waybill/filebox/filebox';
import { makeFolder } from '@waybill/user-files/entries/make-folder';
import type { Caller } from '../access/caller.ts';
import type { FileTarget } from '../access/file-target.ts';
import { fileUserOf } from '../access/file-user-of.ts';
import type { ServerPlace } from '../access/origin-of.ts';

/** What making works with. */
export interface MakeFolderPorts {
  readonly filebox: Pick<Filebox, 'createFolder' | 'find'>;
  readonly server: ServerPlace;
}

/** Makes a folder. @throws CodedError `path_not_found`, `no_create_folder_permission`, `already_exists` */
export type MakeFolder = (caller: Caller, target: FileTarget) => Promise<void>;

/** Makes folders in a filebox. */
export function createMakeFolder(ports: MakeFolderPorts): MakeFolder {
  return (caller, { path }) => makeFolder(fileUserOf(ports, caller), path);
}
