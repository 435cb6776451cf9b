import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { Permission } from '@waybill/contracts/values/permission';
import { parentOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { decideOperation } from '@waybill/directory/access/decide-operation';
import { holdsMount, type Location, type Mounts } from '@waybill/directory/access/mounts';
import { isKnownMissing } from './disclosure.ts';
import type { Asker } from './file-user.ts';
import { missingFolder, refusalOf } from './refusals.ts';
import { mayDoAnything } from './user-tree.ts';

/** What a user is told who changes a folder that belongs to the configuration. */
export type MountRefusal = 'no_delete_permission' | 'no_rename_permission' | 'already_exists' | 'not_a_file';

/**
 * Finds where a path is, and that the user may do this with what is there, or with `makes`, is to be there: as
 * `decideOperation` decides. A refusal is that of `requirePermission`, or `onMount` for a folder that belongs to the configuration.
 * @throws CodedError `onMount`, and as `requirePermission` does
 */
export async function requireOperation(
  asker: Asker,
  access: Mounts,
  path: VirtualPath,
  operation: Permission,
  { onMount, makes = false }: { readonly onMount: MountRefusal; readonly makes?: boolean },
): Promise<Location> {
  const { allowed, why } = decideOperation(access, path, operation);
  const location = access.locate(path);
  if (allowed && location !== undefined) return location;
  if (holdsMount(access, path)) throw new CodedError(onMount, { detail: why });
  throw await refusalAt(asker, access, path, { permission: operation, makes });
}

/** Folders that belong to the configuration stay as they are. @throws CodedError with the code given */
export function refuseMountFolder(access: Mounts, path: VirtualPath, onMount: MountRefusal): void {
  if (holdsMount(access, path)) throw new CodedError(onMount, { detail: decideOperation(access, path, 'rename').why });
}

/**
 * Finds where a path is, and that the user may do this there. A refusal names the permission, unless the user may see that
 * the path, or with `makes` the folder that is to hold it, is missing.
 * @throws CodedError the refusal of the permission, `path_not_found`
 */
export async function requirePermission(
  asker: Asker,
  access: Mounts,
  path: VirtualPath,
  permission: Permission,
  { makes = false }: { readonly makes?: boolean } = {},
): Promise<Location> {
  const location = access.locate(path);
  if (location !== undefined && access.decide(path, permission).allowed) return location;
  throw await refusalAt(asker, access, path, { permission, makes });
}

async function refusalAt(
  asker: Asker,
  access: Mounts,
  path: VirtualPath,
  { permission, makes }: { readonly permission: Permission; readonly makes: boolean },
): Promise<CodedError> {
  const ofFolder = makes || asker.door.checksInOrder;
  const judged = ofFolder ? parentOf(path) : path;
  const isMissing = await isKnownMissing(asker, access, judged, ofFolder);
  return isMissing ? missingFolder(judged) : refusalOf(permission);
}

/** As `requirePermission`, on a folder and on everything that may be below it. */
export function requireThroughout(access: Mounts, path: VirtualPath, permission: Permission): void {
  if (!access.decideThroughout(path, permission).allowed) throw refusalOf(permission);
}

/** A user who may do nothing with a path does not learn what is there. @throws CodedError `no_list_permission`, `path_not_found` */
export async function requireAnyPermission(asker: Asker, access: Mounts, path: VirtualPath): Promise<void> {
  if (!mayDoAnything(access, path)) await requirePermission(asker, access, path, 'list');
}
