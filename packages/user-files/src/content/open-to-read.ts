import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { nameOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Location, Mounts } from '@waybill/directory/access/mounts';
import type { Download } from '@waybill/filebox/model/download';
import type { FileEntry } from '@waybill/filebox/model/entry';
import type { TransferRight } from '@waybill/filebox/model/transfer-right';
import { openFile } from '../permissions/file-access.ts';
import type { FileUser } from '../permissions/file-user.ts';
import { requireOperation } from '../permissions/require-permission.ts';
import { restatePathError } from '../permissions/restate-path-error.ts';
import { findAt } from '../permissions/what-is-there.ts';

/** Where a user may read a file. */
export interface ReadPlace {
  readonly location: Location;
  /** What the user reached when it was permitted. */
  readonly access: Mounts;
}

/** How a file is opened. */
export interface ReadOptions {
  /** What was found at the place a moment ago. */
  readonly expected?: (location: Location) => FileEntry | undefined;
  /** The right to the download, which can be withdrawn. What it throws refuses the download. */
  readonly right: (location: Location, grantedBy: Mounts) => TransferRight | undefined;
}

/** A file that is open to be read. */
export interface OpenedFile {
  readonly location: Location;
  /** To be disposed of. */
  readonly download: Download;
}

/**
 * Permits to read a file at a path. With `creates` it need not be there: the protocol makes an empty one then.
 * @throws CodedError `no_read_permission`, `path_not_found`, `not_a_file`
 */
export async function permitReading(
  user: Pick<FileUser, 'door' | 'store' | 'access'>,
  path: VirtualPath,
  { creates = false }: { readonly creates?: boolean } = {},
): Promise<ReadPlace> {
  const access = await user.access();
  const options = { onMount: 'not_a_file', makes: creates } as const;
  return { access, location: await requireOperation(user, access, path, 'download', options) };
}

/**
 * Opens a delivered file to read it. Where the user sees only an unfinished upload of the own, the failure says that.
 * @throws CodedError `no_read_permission`, `path_not_found`, `file_not_found`, `not_a_file`, `content_missing`, `upload_in_progress`
 */
export async function openToRead(
  user: FileUser<'openDownload'>,
  path: VirtualPath,
  { expected, right }: ReadOptions,
): Promise<OpenedFile> {
  if (user.door.checksInOrder) await openFile(user, path, 'download');
  const { access, location } = await permitReading(user, path);
  const options = { origin: user.originAt(location), expected: expected?.(location), right: right(location, access) };
  try {
    const download = await restatePathError([{ path, location }], () =>
      user.store.openDownload(location.vfs.id, location.path, options),
    );
    return { location, download };
  } catch (error) {
    if (!isCodedError(error, 'file_not_found') || !(await showsUpload(user, access, path))) throw error;
    throw new CodedError('upload_in_progress', {
      detail: `'${nameOf(path)}' is an upload that is not finished: go on with it, or delete it`,
      cause: error,
    });
  }
}

async function showsUpload(user: FileUser<'openDownload'>, access: Mounts, path: VirtualPath): Promise<boolean> {
  if (user.door.showsUploadsOf === undefined) return false;
  return (await findAt(user, access, path))?.kind === 'upload';
}
