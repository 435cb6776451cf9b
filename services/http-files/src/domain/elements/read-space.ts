import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Directory, VfsRetention } from '@waybill/directory/directory';
import type { Filebox } from '@waybill/filebox/filebox';
import type { VfsSpace } from '@waybill/filebox/model/storage';
import { measureSpaceOf } from '@waybill/user-files/folders/measure-space';
import type { Caller } from '../access/caller.ts';
import { fileUserOf } from '../access/file-user-of.ts';
import type { ServerPlace } from '../access/origin-of.ts';

/** The room at a path, and how long files are kept there. */
export interface PlaceSpace {
  readonly space: VfsSpace;
  /** Whether the user may learn how much is free: it changes with what others store. */
  readonly showsFree: boolean;
  readonly retention: Pick<VfsRetention, 'hoursAfterPut' | 'hoursAfterGet'> | undefined;
}

/** What reading the room works with. */
export interface ReadSpacePorts {
  readonly filebox: Pick<Filebox, 'find' | 'space'>;
  readonly directory: Pick<Directory, 'retentionOf'>;
  readonly server: ServerPlace;
}

/** Reads the room at a path. @throws CodedError `no_list_permission`, `path_not_found` */
export type ReadSpace = (caller: Caller, path: VirtualPath) => Promise<PlaceSpace>;

/** Reads the room in a filebox; `user-files` decides who learns it. */
export function createReadSpace(ports: ReadSpacePorts): ReadSpace {
  return async (caller, path) => {
    const vfsId = caller.mounts.locate(path)?.vfs.id;
    const { space = {} } = await measureSpaceOf(fileUserOf<'space'>(ports, caller), path, vfsId);
    const retention = vfsId === undefined ? undefined : await ports.directory.retentionOf(vfsId);
    return { space, retention, showsFree: caller.mounts.decide(path, 'list').allowed };
  };
}
