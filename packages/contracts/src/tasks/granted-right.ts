import { z } from 'zod';
import { isWithin, type VirtualPath } from '../values/virtual-path.ts';

/** What the jobs of an action may do in a VFS that is not their own. */
export const grantedRightSchema = z.enum(['list', 'download', 'upload', 'delete']);

/** A right of jobs in another VFS. */
export type GrantedRight = z.infer<typeof grantedRightSchema>;

/** Rights in a VFS, or in a folder of it with everything below. */
export interface GrantedRights {
  readonly vfs: string;
  readonly path?: VirtualPath | undefined;
  readonly rights: readonly GrantedRight[];
}

/** Whether grants permit this at a path of a VFS. */
export function isGranted(
  grants: readonly GrantedRights[],
  { vfs, path, right }: { vfs: string; path: VirtualPath; right: GrantedRight },
): boolean {
  return grants.some(
    (grant) =>
      grant.vfs === vfs && grant.rights.includes(right) && (grant.path === undefined || isWithin(path, grant.path)),
  );
}
