import { randomUUID } from 'node:crypto';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Mounts } from '@waybill/directory/access/mounts';
import { refusalOf } from '@waybill/user-files/permissions/require-permission';
import type { FileAccess, FilePlace } from '../access/file-access.ts';
import { type FileTarget, fileTargetIn } from '../access/file-target.ts';

/**
 * Where the bytes of a partial upload wait for the others: under a name of their own that is never delivered, in the folder of
 * the file when the client tells it. Clients mostly do not (tus-js-client): then it is the first folder to which the user may
 * upload. The limits of its file system hold.
 * @throws CodedError `no_write_permission`, `path_not_found`
 */
export async function openPartialPlace(
  access: Pick<FileAccess, 'openPlace'>,
  mounts: Mounts,
  asked: FileTarget | undefined,
): Promise<FilePlace> {
  const openIn = (folder: VirtualPath): Promise<FilePlace> =>
    access.openPlace(mounts, fileTargetIn(folder, `partial-${randomUUID()}`), 'upload');
  if (asked !== undefined) return openIn(asked.folder);
  for (const folder of mounts.permittedPaths('upload')) {
    try {
      return await openIn(folder);
    } catch (error) {
      // A rule may be about a file, or about a folder that is not there.
      if (!isCodedError(error)) throw error;
    }
  }
  throw refusalOf('upload');
}
