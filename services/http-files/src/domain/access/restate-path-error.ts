import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { parentOf } from '@waybill/contracts/values/virtual-path';
import type { Location } from '@waybill/directory/access/mounts';
import type { FileTarget } from './file-target.ts';

/** Where the caller meant something to be, and where that really is. */
export interface MeantPlace {
  readonly target: Pick<FileTarget, 'path' | 'folder'>;
  readonly location: Pick<Location, 'path'>;
}

/**
 * Does something in a file system, whose own paths are no business of the caller's: a folder that vanished meanwhile is called
 * as the caller calls it. Throws what `work` throws, but for that.
 */
export async function restatePathError<T>(
  places: readonly [MeantPlace, ...MeantPlace[]],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isCodedError(error, 'path_not_found')) throw error;
    throw new CodedError('path_not_found', { names: { path: spoken(error.names['path'], places) }, cause: error });
  }
}

function spoken(inner: string | undefined, places: readonly [MeantPlace, ...MeantPlace[]]): string {
  const [{ target }] = places;
  const itself = places.find(({ location }) => location.path === inner);
  const holding = places.find(({ location }) => parentOf(location.path) === inner);
  return itself?.target.path ?? holding?.target.folder ?? target.folder;
}
