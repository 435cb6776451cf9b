import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { joinVirtualPath, parentOf, segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Mounts } from '@waybill/directory/access/mounts';
import type { Filebox } from '@waybill/filebox/filebox';
import type { ScannedEntries } from '@waybill/filebox/model/entry-query';
import { refusalOf } from '@waybill/user-files/permissions/require-permission';
import { restatePathError } from '@waybill/user-files/permissions/restate-path-error';
import type { FileAccess } from '../access/file-access.ts';
import type { ArchivePart } from './archive-part.ts';

/** Files and folders that one archive holds at most: what is planned is kept in memory. */
const maxParts = 10_000;

/** Entries that are read at once. */
const pageSize = 500;

/** Files and folders of a folder, as the user sees it. */
interface Walk {
  readonly filebox: Pick<Filebox, 'scan' | 'find'>;
  readonly mounts: Mounts;
  /** Names in the archive are relative to this folder. */
  readonly top: VirtualPath;
  readonly parts: ArchivePart[];
}

/**
 * What an archive of a folder, or of these names in it, holds, in the order of names. What the user may not list or
 * download is left out, unless it was named.
 * @throws CodedError `path_not_found`, `not_a_folder` (a file), `no_list_permission`, `file_not_found`, `no_read_permission`, `payload_too_large`
 */
export type PlanArchive = (
  mounts: Mounts,
  folder: VirtualPath,
  names?: readonly string[],
) => Promise<readonly ArchivePart[]>;

/** Plans archives of folders in a filebox. */
export function createPlanArchive({ filebox, access }: { filebox: Walk['filebox']; access: FileAccess }): PlanArchive {
  return async (mounts, folder, names) => {
    await openFolder({ filebox, access }, mounts, folder);
    const walk: Walk = { filebox, mounts, top: folder, parts: [] };
    if (names === undefined) await addFolder(walk, folder);
    for (const name of new Set(names)) await addNamed(walk, joinVirtualPath(folder, name));
    return walk.parts;
  };
}

/** Who may see, or read, a file that was taken for a folder hears that it is one. */
async function openFolder(
  { filebox, access }: { filebox: Walk['filebox']; access: FileAccess },
  mounts: Mounts,
  path: VirtualPath,
): Promise<void> {
  try {
    await access.openFolder(mounts, path);
  } catch (error) {
    const mayKnow = mounts.decide(parentOf(path), 'list').allowed || mounts.decide(path, 'download').allowed;
    const location = mayKnow && isCodedError(error, 'path_not_found') ? mounts.locate(path) : undefined;
    const entry = location && (await filebox.find(location.vfs.id, location.path));
    if (entry?.kind !== 'file') throw error;
    const detail = `'${path}' is a file: GET /2.0/files reads it, or name it in the archive of its folder`;
    throw new CodedError('not_a_folder', { detail, cause: error });
  }
}

async function addNamed(walk: Walk, path: VirtualPath): Promise<void> {
  const { filebox, mounts } = walk;
  const location = mounts.locate(path);
  const isMounted = mounts.mountedNames(path).length > 0 || location?.mount.mountPath === path;
  const entry = location && (await filebox.find(location.vfs.id, location.path));
  if (entry === undefined && !isMounted) {
    throw new CodedError('file_not_found', { names: { file: segmentsOf(path).at(-1) ?? '' } });
  }
  const needed = entry?.kind === 'file' ? 'download' : 'list';
  if (!mounts.decide(path, needed).allowed) throw refusalOf(needed);
  await addEntry(walk, path, entry);
}

/** Adds what is in a folder that may be listed. */
async function addFolder(walk: Walk, folder: VirtualPath): Promise<void> {
  const { filebox, mounts } = walk;
  const mounted = new Set(mounts.mountedNames(folder));
  for (const name of mounted) await addEntry(walk, joinVirtualPath(folder, name), undefined);
  const location = mounts.locate(folder);
  const inside = location && (await filebox.find(location.vfs.id, location.path));
  if (location === undefined || inside?.kind !== 'folder') return;
  for (let afterName = '', more = true; more;) {
    const { vfs, path } = location;
    const place = { path: folder, location };
    const page = { afterName, limit: pageSize };
    const entries = await restatePathError([place], () => filebox.scan(vfs.id, path, page));
    for (const entry of entries) {
      if (!mounted.has(entry.name)) await addEntry(walk, joinVirtualPath(folder, entry.name), entry);
    }
    afterName = entries.at(-1)?.name ?? afterName;
    more = entries.length === pageSize;
  }
}

/** Adds a file, or a folder with what is in it, if that is permitted. */
async function addEntry(walk: Walk, path: VirtualPath, entry: ScannedEntries[number] | undefined): Promise<void> {
  const { mounts, top, parts } = walk;
  if (parts.length === maxParts) {
    throw new CodedError('payload_too_large', { detail: `An archive holds at most ${maxParts} files and folders` });
  }
  const name = segmentsOf(path).slice(segmentsOf(top).length).join('/');
  if (entry?.kind === 'file') {
    const location = mounts.locate(path);
    if (location && mounts.decide(path, 'download').allowed) parts.push({ kind: 'file', name, location });
  } else if (mounts.decide(path, 'list').allowed) {
    parts.push({ kind: 'folder', name, modifiedAt: entry?.modifiedAt });
    await addFolder(walk, path);
  }
}
