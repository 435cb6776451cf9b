import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { joinVirtualPath, parentOf, segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Location, Mounts } from '@waybill/directory/access/mounts';
import type { ScannedEntries } from '@waybill/filebox/model/entry-query';
import { openFolder } from '../permissions/file-access.ts';
import type { FileUser } from '../permissions/file-user.ts';
import { missingFile, refusalOf } from '../permissions/refusals.ts';
import { restatePathError } from '../permissions/restate-path-error.ts';
import { isHidden } from '../permissions/user-tree.ts';

/** One thing that an archive is to hold. */
export type ArchivePart =
  | { readonly kind: 'folder'; readonly name: string; readonly modifiedAt: Date | undefined }
  | { readonly kind: 'file'; readonly name: string; readonly location: Location };

/** Files and folders that one archive holds at most: what is planned is kept in memory. */
const maxParts = 10_000;

/** Entries that are read at once. */
const pageSize = 500;

type Archiver = Pick<FileUser<'scan'>, 'door' | 'store' | 'access'>;

/** Files and folders of a folder, as the user sees it. */
interface Walk {
  readonly store: Archiver['store'];
  readonly access: Mounts;
  /** Names in the archive are relative to this folder. */
  readonly top: VirtualPath;
  readonly parts: ArchivePart[];
}

/**
 * What an archive of a folder, or of these names in it, holds, in the order of names. What the user may not list or
 * download is left out, unless it was named.
 * @throws CodedError `path_not_found`, `not_a_folder` (a file, which `names` names as `path`), `no_list_permission`,
 * `file_not_found`, `no_read_permission`, `payload_too_large`
 */
export async function planArchive(
  user: Archiver,
  folder: VirtualPath,
  names?: readonly string[],
): Promise<readonly ArchivePart[]> {
  await requireFolder(user, folder);
  const walk: Walk = { store: user.store, access: await user.access(), top: folder, parts: [] };
  if (names === undefined) await addFolder(walk, folder);
  // Names in different Unicode forms are one path.
  const paths = new Set(names?.map((name) => joinVirtualPath(folder, name)));
  for (const path of paths) await addNamed(walk, path);
  return walk.parts;
}

/** Users who may see, or read, a file that was taken for a folder are told that it is one. */
async function requireFolder(user: Archiver, path: VirtualPath): Promise<void> {
  try {
    await openFolder(user, path);
  } catch (error) {
    const access = await user.access();
    const mayKnow = access.decide(parentOf(path), 'list').allowed || access.decide(path, 'download').allowed;
    const location = mayKnow && isCodedError(error, 'path_not_found') ? access.locate(path) : undefined;
    const entry = location && (await user.store.find(location.vfs.id, location.path));
    if (entry?.kind !== 'file') throw error;
    throw new CodedError('not_a_folder', { detail: `'${path}' is a file`, names: { path }, cause: error });
  }
}

async function addNamed(walk: Walk, path: VirtualPath): Promise<void> {
  const { store, access } = walk;
  if (isHidden(access, path)) throw refusalOf('list');
  const location = access.locate(path);
  const isMounted = access.mountedNames(path).length > 0 || location?.mount.mountPath === path;
  const entry = location && (await store.find(location.vfs.id, location.path));
  if (entry === undefined && !isMounted) throw missingFile(path);
  const needed = entry?.kind === 'file' ? 'download' : 'list';
  if (!access.decide(path, needed).allowed) throw refusalOf(needed);
  await addEntry(walk, path, entry);
}

/** Adds what is in a folder that may be listed. */
async function addFolder(walk: Walk, folder: VirtualPath): Promise<void> {
  const { store, access } = walk;
  const mounted = new Set(access.mountedNames(folder));
  for (const name of mounted) await addEntry(walk, joinVirtualPath(folder, name), undefined);
  const location = access.locate(folder);
  const inside = location && (await store.find(location.vfs.id, location.path));
  if (location === undefined || inside?.kind !== 'folder') return;
  for (let afterName = '', more = true; more;) {
    const { vfs, path } = location;
    const page = { afterName, limit: pageSize };
    const entries = await restatePathError([{ path: folder, location }], () => store.scan(vfs.id, path, page));
    for (const entry of entries) {
      if (!mounted.has(entry.name)) await addEntry(walk, joinVirtualPath(folder, entry.name), entry);
    }
    afterName = entries.at(-1)?.name ?? afterName;
    more = entries.length === pageSize;
  }
}

/** Adds a file, or a folder with what is in it, if that is permitted. */
async function addEntry(walk: Walk, path: VirtualPath, entry: ScannedEntries[number] | undefined): Promise<void> {
  const { access, top, parts } = walk;
  if (parts.length === maxParts) {
    throw new CodedError('payload_too_large', { detail: `An archive holds at most ${maxParts} files and folders` });
  }
  const name = segmentsOf(path).slice(segmentsOf(top).length).join('/');
  if (entry?.kind === 'file') {
    const location = access.locate(path);
    if (location && access.decide(path, 'download').allowed) parts.push({ kind: 'file', name, location });
  } else if (access.decide(path, 'list').allowed) {
    parts.push({ kind: 'folder', name, modifiedAt: entry?.modifiedAt });
    await addFolder(walk, path);
  }
}
