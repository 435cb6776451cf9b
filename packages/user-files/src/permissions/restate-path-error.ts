import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { parentOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Location } from '@waybill/directory/access/mounts';

/** A path as the user names it, and where it is in its file system. */
export interface NamedLocation {
  readonly path: VirtualPath;
  readonly location: Pick<Location, 'path'>;
}

/**
 * Runs `work`, whose errors name paths inside a file system, and restates a missing folder with the path that the user gave it.
 * @throws CodedError what the work throws
 */
export async function restatePathError<T>(
  places: readonly [NamedLocation, ...NamedLocation[]],
  work: () => Promise<T>,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!isCodedError(error, 'path_not_found')) throw error;
    throw new CodedError('path_not_found', { names: { path: userPathOf(error.names['path'], places) }, cause: error });
  }
}

function userPathOf(inner: string | undefined, places: readonly [NamedLocation, ...NamedLocation[]]): string {
  const itself = places.find(({ location }) => location.path === inner);
  const holding = places.find(({ location }) => parentOf(location.path) === inner);
  return itself?.path ?? parentOf((holding ?? places[0]).path);
}
