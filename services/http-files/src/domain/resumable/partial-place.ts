import { randomUUID } from 'node:crypto';
import type { Mounts } from '@waybill/directory/access/mounts';
import type { FileAccess, FilePlace } from '../access/file-access.ts';
import { type FileTarget, fileTargetIn } from '../access/file-target.ts';

/**
 * Where the bytes of a partial upload wait for the others: under a name of their own that is never delivered, in the folder of
 * the file when the client tells it. Clients mostly do not (tus-js-client): then it is the first folder to which the user may
 * upload. The limits of its file system hold.
 * @throws CodedError `no_write_permission`, `path_not_found`
 */
export async function openPartialPlace(
  access: Pick<FileAccess, 'permitWriting' | 'permitWritingAnywhere'>,
  mounts: Mounts,
  asked: FileTarget | undefined,
): Promise<FilePlace> {
  const name = `partial-${randomUUID()}`;
  return asked === undefined
    ? access.permitWritingAnywhere(mounts, name)
    : access.permitWriting(mounts, fileTargetIn(asked.folder, name));
}
