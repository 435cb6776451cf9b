import type { Filebox } from '@waybill/filebox/filebox';
import type { Download } from '@waybill/filebox/model/download';
import type { TransferringCaller } from '../access/caller.ts';
import type { FileAccess } from '../access/file-access.ts';
import type { FileTarget } from '../access/file-target.ts';
import { originOf, type ServerPlace } from '../access/origin-of.ts';
import { restatePathError } from '../access/restate-path-error.ts';

/** What fetching works with. */
export interface FetchFilePorts {
  readonly filebox: Pick<Filebox, 'openDownload'>;
  readonly access: FileAccess;
  readonly server: ServerPlace;
}

/** Opens a file to be read; the caller disposes of the download. */
export type FetchFile = (caller: TransferringCaller, target: FileTarget) => Promise<Download>;

/** Opens files of a filebox. */
export function createFetchFile({ filebox, access, server }: FetchFilePorts): FetchFile {
  return async (caller, target) => {
    const place = await access.openFile(caller.mounts, target, 'download');
    const { vfs, path } = place.location;
    caller.hold.require([{ vfsId: vfs.id, path, permission: 'download' }], caller.mounts);
    const origin = originOf(server, caller, place.location);
    return restatePathError([place], () => filebox.openDownload(vfs.id, path, { origin }));
  };
}
