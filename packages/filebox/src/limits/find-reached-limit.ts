import type { CodedError } from '@waybill/contracts/errors/coded-error';
import { segmentsOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Queryable } from '@waybill/postgres/database';
import { findEntry } from '../entries/find-entry.ts';
import { limitError } from '../model/limit-error.ts';
import { readUsage, type VfsUsage } from './read-usage.ts';

/** What is to be added to a VFS. */
export interface Addition {
  readonly kind: 'file' | 'folder';
  /** Inside the VFS. */
  readonly path: VirtualPath;
}

/**
 * The limit that would refuse a new folder, or a new file with content, now; undefined if there is none. A file that replaces
 * another is not limited in advance.
 */
export async function findReachedLimit(
  on: Queryable,
  vfsId: string,
  { kind, path }: Addition,
): Promise<CodedError | undefined> {
  const usage = await readUsage(on, vfsId);
  if (usage === undefined) return undefined;
  if (kind === 'folder') return reachedByFolder(usage, path);
  const present = await findEntry(on, vfsId, path);
  return present?.kind === 'file' ? undefined : reachedByFile(usage);
}

function reachedByFile({ max_files: mostFiles, files, max_bytes: mostBytes, bytes }: VfsUsage): CodedError | undefined {
  if (isReached(mostFiles, files)) return limitError('files', Number(mostFiles));
  return isReached(mostBytes, bytes) ? limitError('bytes', Number(mostBytes)) : undefined;
}

function reachedByFolder(
  { max_folders: mostFolders, folders, max_depth: mostDepth }: VfsUsage,
  path: VirtualPath,
): CodedError | undefined {
  if (isReached(mostFolders, folders)) return limitError('folders', Number(mostFolders));
  return mostDepth !== null && segmentsOf(path).length > mostDepth ? limitError('depth', mostDepth) : undefined;
}

function isReached(most: string | null, used: string): boolean {
  return most !== null && BigInt(used) >= BigInt(most);
}
