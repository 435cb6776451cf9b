import type { Filebox } from '@waybill/filebox/filebox';
import type { Download } from '@waybill/filebox/model/download';
import { openToRead } from '@waybill/user-files/content/open-to-read';
import type { TransferringCaller } from '../access/caller.ts';
import type { FileTarget } from '../access/file-target.ts';
import { fileUserOf, namingFile } from '../access/file-user-of.ts';
import type { ServerPlace } from '../access/origin-of.ts';

/** What fetching works with. */
export interface FetchFilePorts {
  readonly filebox: Pick<Filebox, 'openDownload' | 'find'>;
  readonly server: ServerPlace;
}

/** Opens a file to be read; the caller disposes of the download. */
export type FetchFile = (caller: TransferringCaller, target: FileTarget) => Promise<Download>;

/** Opens files of a filebox. */
export function createFetchFile(ports: FetchFilePorts): FetchFile {
  return async (caller, target) => {
    const { download } = await namingFile(() =>
      openToRead(fileUserOf(ports, caller), target.path, {
        right: ({ vfs, path }, mounts) => {
          caller.hold.require([{ vfsId: vfs.id, path, permission: 'download' }], mounts);
          return undefined;
        },
      }),
    );
    return download;
  };
}
