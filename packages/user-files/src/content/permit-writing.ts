import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { joinVirtualPath, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Location, Mounts } from '@waybill/directory/access/mounts';
import type { FileEntry, UploadEntry } from '@waybill/filebox/model/entry';
import { findKnown } from '../entries/find-known.ts';
import { openFilePlace, requireFolder } from '../permissions/file-access.ts';
import type { FileUser } from '../permissions/file-user.ts';
import { refusalOf } from '../permissions/refusals.ts';
import { requireOperation } from '../permissions/require-permission.ts';
import { isHidden } from '../permissions/user-tree.ts';

/** Where a user may write a file. */
export interface WritePlace {
  readonly path: VirtualPath;
  readonly location: Location;
  /** What the user reached when it was permitted. */
  readonly access: Mounts;
  /** The file that is there, if the door looks for it first. */
  readonly file: FileEntry | undefined;
}

type Writer = Pick<FileUser, 'door' | 'store' | 'access'>;

/**
 * Permits to write a file at a path. With `creates`, the default, it need not be there.
 * @throws CodedError `no_write_permission`, `path_not_found`, `not_a_file`
 */
export async function permitWriting(
  user: Writer,
  path: VirtualPath,
  { creates = true }: { readonly creates?: boolean } = {},
): Promise<WritePlace> {
  const access = await user.access();
  if (user.door.checksInOrder) return { path, access, ...(await openFilePlace(user, path, 'upload')) };
  const location = await requireOperation(user, access, path, 'upload', { onMount: 'not_a_file', makes: creates });
  return { path, location, access, file: undefined };
}

/** Requires that a folder is there to be written to. @throws CodedError `path_not_found`, `no_write_permission` */
export async function requireFolderToWrite(user: Writer, folder: VirtualPath): Promise<void> {
  if (isHidden(await user.access(), folder)) throw refusalOf('upload');
  await requireFolder(user, folder, 'upload');
}

/**
 * Permits to write a file of this name in the first folder in which the user may, for content that gets its place later.
 * @throws CodedError `no_write_permission`
 */
export async function permitWritingAnywhere(user: Writer, name: string): Promise<WritePlace> {
  for (const folder of (await user.access()).permittedPaths('upload')) {
    try {
      return await permitWriting(user, joinVirtualPath(folder, name));
    } catch (error) {
      // A rule may be about a file, or about a folder that is not there.
      if (!isCodedError(error)) throw error;
    }
  }
  throw refusalOf('upload');
}

/** Whether the user may also read what is there. */
export function mayReadToo({ access, path }: WritePlace): boolean {
  return access.decide(path, 'download').allowed;
}

/**
 * What a write goes on from, as the user sees it. A write that `replaces` what is there needs no look: what begins it refuses a
 * folder in its place, and a look would cost small files two more statements. A file that the user is not to know of is replaced
 * like any other, and never gone on from.
 * @throws CodedError `file_not_found` (unless it `creates`), `not_a_file`
 */
export async function findToWrite(
  user: Pick<FileUser, 'store' | 'door' | 'userName' | 'access'>,
  path: VirtualPath,
  { creates, replaces }: { readonly creates: boolean; readonly replaces: boolean },
): Promise<FileEntry | UploadEntry | undefined> {
  if (creates && replaces) return undefined;
  const found = await findKnown(user, path);
  if (found?.kind === 'folder') throw new CodedError('not_a_file');
  if (found === undefined && !creates) throw new CodedError('file_not_found');
  return found;
}
