import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import { requireAnyPermission } from '@waybill/user-files/permissions/require-permission';
import { findEntry } from './find-entry.ts';
import type { EntryIdentity } from './handles/entry-description.ts';
import type { FileSession } from './session/file-session.ts';

/** What there is where a path is. */
export interface MeasuredSpace {
  readonly totalBytes: number;
  readonly freeBytes: number;
  /** Files and folders; absent where their number has no limit. */
  readonly totalEntries?: number;
  readonly freeEntries?: number;
  /** The user may write nothing there. */
  readonly readOnly: boolean;
}

/** Clients take this for plenty and do their sums with it: 1 PiB. */
const endlessBytes = 1024 ** 5;

/**
 * The room where a path is, by the limits of its VFS and by its storage. A storage without an end, and a folder that only leads to what is mounted, count as 1 PiB.
 * @throws CodedError `file_not_found`, `no_list_permission` (no permission at all)
 */
export async function measureSpace(session: FileSession, path: VirtualPath): Promise<MeasuredSpace> {
  return measureSpaceOf(session, path, (await findEntry(session, path)).identity);
}

/**
 * As `measureSpace`, where something is that was opened at a path, whatever is there by now.
 * @throws CodedError `path_not_found` (it is mounted there no more), `no_list_permission`
 */
export async function measureSpaceOf(
  session: FileSession,
  path: VirtualPath,
  { vfsId }: EntryIdentity,
): Promise<MeasuredSpace> {
  const access = await session.access();
  const location = access.locate(path);
  if (location?.vfs.id !== vfsId) throw new CodedError('path_not_found');
  if (location !== undefined) await requireAnyPermission(session, access, path);
  const readOnly = !access.decide(path, 'upload').allowed;
  const space = vfsId === undefined ? undefined : await session.store.space(vfsId);
  const { total: totalBytes, free: freeBytes } = space?.bytes ?? { total: endlessBytes, free: endlessBytes };
  const entries = space?.entries && { totalEntries: space.entries.total, freeEntries: space.entries.free };
  return { totalBytes, freeBytes, ...entries, readOnly };
}
