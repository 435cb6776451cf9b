import { segmentsOf, virtualPathOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Database } from '@waybill/postgres/database';
import { insertFolder } from './create-folder.ts';
import { openRoot, requireFolder } from './find-entry.ts';
import { transact } from './transact.ts';

/**
 * Creates the missing folders and returns them. @throws CodedError `not_a_folder` if a file has the name, and the
 * errors of limits
 */
export async function ensureFolders(
  db: Database,
  vfsId: string,
  paths: readonly VirtualPath[],
): Promise<VirtualPath[]> {
  await openRoot(db, vfsId);
  const made: VirtualPath[] = [];
  for (const path of withAncestors(paths)) {
    const folder = await transact(db, (trx) => insertFolder(trx, { vfsId, path, owner: '' }));
    if (folder) made.push(path);
    else await requireFolder(db, vfsId, path);
  }
  return made;
}

/** Each path once, after its ancestors. */
function withAncestors(paths: readonly VirtualPath[]): VirtualPath[] {
  const wanted = new Set<VirtualPath>();
  for (const path of paths) {
    const segments = segmentsOf(path);
    for (let depth = 1; depth <= segments.length; depth += 1) wanted.add(virtualPathOf(segments.slice(0, depth)));
  }
  return [...wanted];
}
