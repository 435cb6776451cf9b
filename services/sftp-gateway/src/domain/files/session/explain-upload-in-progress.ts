import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { nameOf } from '@waybill/contracts/values/virtual-path';
import type { Location } from '@waybill/directory/access/mounts';
import type { FileSession } from './file-session.ts';

/**
 * Does what takes a file that was committed. Where the user sees only an uncommitted upload of the own, the failure says that,
 * not that there is nothing.
 * @throws CodedError `upload_in_progress`, and what the work throws
 */
export async function explainUploadInProgress<T>(
  { store, userName }: Pick<FileSession, 'store' | 'userName'>,
  location: Location,
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isCodedError(error, 'file_not_found')) throw error;
    const found = await store.find(location.vfs.id, location.path, { includeUploadOf: userName });
    if (found?.kind !== 'upload') throw error;
    throw new CodedError('upload_in_progress', {
      detail: `'${nameOf(location.path)}' is an upload that is not finished: go on with it, or delete it`,
      cause: error,
    });
  }
}
