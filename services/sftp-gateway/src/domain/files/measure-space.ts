import type { VirtualPath } from '@waybill/contracts/values/virtual-path';
import * as userFiles from '@waybill/user-files/folders/measure-space';
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
 * The room where a path is. A storage without an end, and a folder that only leads to what is mounted, count as 1 PiB.
 * @throws CodedError as `measureSpace` of `user-files` does
 */
export async function measureSpace(session: FileSession, path: VirtualPath): Promise<MeasuredSpace> {
  return countable(await userFiles.measureSpace(session, path));
}

/** As `measureSpace`, where something is that was opened at a path. @throws CodedError as `measureSpaceOf` of `user-files` does */
export async function measureSpaceOf(
  session: FileSession,
  path: VirtualPath,
  { vfsId }: EntryIdentity,
): Promise<MeasuredSpace> {
  return countable(await userFiles.measureSpaceOf(session, path, vfsId));
}

function countable({ space, readOnly }: userFiles.MeasuredPlace): MeasuredSpace {
  const { total: totalBytes, free: freeBytes } = space?.bytes ?? { total: endlessBytes, free: endlessBytes };
  const entries = space?.entries && { totalEntries: space.entries.total, freeEntries: space.entries.free };
  return { totalBytes, freeBytes, ...entries, readOnly };
}
