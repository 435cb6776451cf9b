import type { Permission } from '@waybill/contracts/values/permission';
import { allPermissions } from '@waybill/contracts/values/permission';
import type { Protocol } from '@waybill/contracts/values/protocol';
import { isWithin, parseVirtualPath } from '@waybill/contracts/values/virtual-path';
import type { Choices } from './choices.ts';
import { folders, type Folder, type Mounted, type Policy, servers, specialFile } from './policies.ts';

/** An operation of a user, whose path has what the operation needs. */
export interface Question {
  readonly user: string;
  readonly protocol: Protocol;
  readonly operation: Permission;
  readonly path: string;
  /** A free path in the same file system, where the user may do everything: where it is moved to. */
  readonly spare: string;
  /** A file that has to be there, in its file system. */
  readonly prepared: { readonly vfs: string; readonly path: string } | undefined;
}

/** A question about a policy. `id` keeps its files apart from those of others. */
export function questionAbout(choices: Choices, { name: user, mounts }: Policy, id: number): Question {
  const protocol = choices.one<Protocol>(['SFTP', 'HTTP']);
  const operation = choices.one(allPermissions as readonly [Permission, ...Permission[]]);
  const reached = mounts.filter((mount) => mount.servers.includes(servers[protocol]));
  const question = { user, protocol, operation, prepared: undefined };
  for (let tries = 0; tries < 10; tries += 1) {
    const mount = pickFrom(choices, reached.length === 0 ? mounts : reached);
    if (mount === undefined) break;
    const place = placeIn(choices, operation, id);
    const path = joined(mount.mountPath, place.path);
    const spare = joined(mount.mountPath, `/spare/r${id}`);
    const isOwn = [path, spare].every((each) => nearest(reached, each) === mount);
    const prepared = place.isThere ? { vfs: mount.vfs, path: place.path } : undefined;
    if (choices.often(85) && (isOwn || reached.length === 0)) return { ...question, path, spare, prepared };
    if (choices.often(50)) return { ...question, path: aboveOrAt(choices, mount), spare: `/spare/r${id}` };
  }
  const isAnyRoot = reached.some(({ mountPath }) => mountPath === '/');
  return { ...question, path: isAnyRoot ? '/' : `/nowhere/r${id}`, spare: `/spare/r${id}` };
}

/** Where in a file system, and whether a file has to be there. */
function placeIn(choices: Choices, operation: Permission, id: number): { path: string; isThere: boolean } {
  const folder: Folder = choices.one(folders);
  if (operation === 'list') return { path: folder, isThere: false };
  if (operation === 'upload' || operation === 'createFolder')
    return { path: joined(folder, `/n${id}`), isThere: false };
  if (operation !== 'download') return { path: joined(folder, `/f${id}`), isThere: true };
  return { path: folder === '/a' && choices.often(50) ? specialFile : joined(folder, '/f'), isThere: true };
}

/** The folder of a mount, or the one above it, which belongs to the configuration as well. */
function aboveOrAt(choices: Choices, { mountPath }: Mounted): string {
  const [first = ''] = mountPath.slice(1).split('/');
  return choices.often(50) ? mountPath : `/${first}`;
}

function nearest(mounts: readonly Mounted[], path: string): Mounted | undefined {
  return mounts
    .filter(({ mountPath }) => isWithin(parseVirtualPath(path), parseVirtualPath(mountPath)))
    .toSorted((one, other) => other.mountPath.length - one.mountPath.length)
    .at(0);
}

function pickFrom(choices: Choices, mounts: readonly Mounted[]): Mounted | undefined {
  const [first, ...others] = mounts;
  return first && choices.one([first, ...others]);
}

function joined(folder: string, below: string): string {
  const path = `${folder === '/' ? '' : folder}${below}`;
  return path.length > 1 && path.endsWith('/') ? path.slice(0, -1) : path;
}
