import { allPermissions, type Permission } from '@waybill/contracts/values/permission';
import {
  isWithin,
  joinVirtualPath,
  nameOf,
  parentOf,
  rootPath,
  segmentsOf,
  type VirtualPath,
} from '@waybill/contracts/values/virtual-path';
import { decideAccess, type AccessDecision, type AclRule } from './access-decision.ts';

/** A virtual file system: a tree of folders and files that belongs to one actor. */
export interface Vfs {
  readonly id: string;
  readonly name: string;
  /** If false, every user who reaches it may do everything. */
  readonly aclEnabled: boolean;
}

/** A clause of a Connection Contract, and who it names: a user, or a group of the user. */
export interface MountClause {
  /** Its index in the contract. */
  readonly position: number;
  readonly user: string | null;
  readonly group: string | null;
}

/** One VFS in a user's tree. */
export interface Mount {
  readonly vfs: Vfs;
  readonly mountPath: VirtualPath;
  /** Name of the Connection Contract that binds the user to the VFS. */
  readonly connectionContract: string;
  /** The clause of that contract; absent if it is not known. */
  readonly clause?: MountClause;
}

/** A mount with the rules of its VFS, `undefined` when ACLs are not enabled. */
export interface RuledMount extends Mount {
  readonly acl: readonly AclRule[] | undefined;
}

/** The VFS and the path in it of a path in a user's tree. */
export interface Location {
  readonly vfs: Vfs;
  /** Inside the VFS. */
  readonly path: VirtualPath;
  readonly mount: Mount;
}

/** The tree that a user currently sees on a server: request it again for every operation. */
export interface Mounts {
  readonly mounts: readonly Mount[];
  /** The version of the configuration of this tree: see `PartnerUser.accessVersion`. */
  readonly accessVersion: number;
  /** When a group ends to which the user owes a part of this tree, in milliseconds since 1970; `Infinity`: never. */
  readonly expiresAt: number;
  /** The location of `path`; `undefined` above a mount and where nothing is mounted. */
  locate(path: VirtualPath): Location | undefined;
  /** Whether the user may do this on `path`, and why. */
  decide(path: VirtualPath, permission: Permission): AccessDecision;
  /** Whether the user may do this on `path` and on everything that may be below it. */
  decideThroughout(path: VirtualPath, permission: Permission): AccessDecision;
  /** Mount paths and paths with rules where the user has this permission, parents first. */
  permittedPaths(permission: Permission): VirtualPath[];
  /** Paths below `path` where something is mounted, or that have rules. */
  placesBelow(path: VirtualPath): VirtualPath[];
  /** Whether `path` or a path below it has a rule, so that its permissions may differ from those of its neighbours. */
  hasOwnRules(path: VirtualPath): boolean;
  /**
   * Names directly below `path` for which rules leave the user no permission: they are neither listed nor counted.
   * Mounts are never among them.
   */
  hiddenNames(path: VirtualPath): string[];
  /** Names directly below `path` that exist because something is mounted there or deeper, sorted. */
  mountedNames(path: VirtualPath): string[];
}

/** True when a VFS is mounted at the path or below it: such a folder belongs to the configuration, and every user sees it. */
export function holdsMount({ mounts }: Pick<Mounts, 'mounts'>, path: VirtualPath): boolean {
  return mounts.some(({ mountPath }) => isWithin(mountPath, path));
}

/**
 * The tree that these mounts make for a user. If mounts are nested, a path belongs to the nearest one above it.
 * `accessVersion` is 0, older than any other, if it is not known.
 */
export function createMounts(
  user: { readonly name: string; readonly groups: readonly string[] },
  ruledMounts: readonly RuledMount[],
  { accessVersion = 0, expiresAt = Infinity }: Partial<Pick<Mounts, 'accessVersion' | 'expiresAt'>> = {},
): Mounts {
  const nearest = (path: VirtualPath): RuledMount | undefined => nearestMount(path, ruledMounts);
  const leadsToMount = (path: VirtualPath): boolean => holdsMount({ mounts: ruledMounts }, path);
  const decide = createDecide(user, ruledMounts);

  return {
    mounts: ruledMounts,
    accessVersion,
    expiresAt,
    locate: (path) => {
      const mount = nearest(path);
      return mount && { vfs: mount.vfs, path: innerPath(mount, path), mount };
    },
    decide,
    decideThroughout: (path, permission) => {
      const below = ruledMounts.flatMap(ruledPaths).filter((ruled) => ruled !== path && isWithin(ruled, path));
      const decisions = [path, ...below].map((place) => decide(place, permission));
      return decisions.find(({ allowed }) => !allowed) ?? decide(path, permission);
    },
    permittedPaths: (permission) => placesOf(ruledMounts).filter((path) => decide(path, permission).allowed),
    placesBelow: (path) => placesOf(ruledMounts).filter((place) => place !== path && isWithin(place, path)),
    hasOwnRules: (path) => ruledMounts.flatMap(ruledPaths).some((ruled) => isWithin(ruled, path)),
    hiddenNames: (path) => {
      const mayDoNothing = (place: VirtualPath): boolean =>
        allPermissions.every((each) => !decide(place, each).allowed);
      return placesIn(path, nearest(path))
        .filter((place) => !leadsToMount(place) && mayDoNothing(place))
        .map(nameOf);
    },
    mountedNames: (path) => mountedIn(path, ruledMounts),
  };
}

function createDecide(
  user: { readonly name: string; readonly groups: readonly string[] },
  ruledMounts: readonly RuledMount[],
): Mounts['decide'] {
  const byMount = { rule: 'mount' } as const;
  return (path, permission) => {
    const leadsToMount = holdsMount({ mounts: ruledMounts }, path);
    if (leadsToMount && (permission === 'delete' || permission === 'rename')) {
      const why = `${path} contains a mount of a Connection Contract: it cannot be moved or deleted`;
      return { allowed: false, why, by: byMount };
    }
    const mount = nearestMount(path, ruledMounts);
    if (mount) {
      const { vfs, acl } = mount;
      return decideAccess({ vfsName: vfs.name, acl, user, path: innerPath(mount, path), permission });
    }
    const allowed = permission === 'list' && leadsToMount;
    const why = allowed ? `${path} leads to a mount` : `Nothing is mounted on ${path}`;
    return { allowed, why, by: byMount };
  };
}

function nearestMount(path: VirtualPath, mounts: readonly RuledMount[]): RuledMount | undefined {
  return mounts
    .filter(({ mountPath }) => isWithin(path, mountPath))
    .toSorted((one, other) => segmentsOf(other.mountPath).length - segmentsOf(one.mountPath).length)
    .at(0);
}

function mountedIn(path: VirtualPath, mounts: readonly Mount[]): string[] {
  const depth = segmentsOf(path).length;
  const names = mounts
    .filter(({ mountPath }) => mountPath !== path && isWithin(mountPath, path))
    .flatMap(({ mountPath }) => segmentsOf(mountPath).slice(depth, depth + 1));
  return [...new Set(names)].toSorted();
}

function ruledPaths({ mountPath, acl = [] }: RuledMount): VirtualPath[] {
  return acl.map((rule) => joinVirtualPath(mountPath, ...segmentsOf(rule.path)));
}

/** Where something is mounted and where rules are, sorted. */
function placesOf(mounts: readonly RuledMount[]): VirtualPath[] {
  return [...new Set(mounts.flatMap((mount) => [mount.mountPath, ...ruledPaths(mount)]))].toSorted();
}

/** Paths directly in a folder of a mount that have rules. */
function placesIn(folder: VirtualPath, mount: RuledMount | undefined): VirtualPath[] {
  if (mount === undefined) return [];
  return ruledPaths(mount).filter((place) => place !== folder && parentOf(place) === folder);
}

function innerPath({ mountPath }: Mount, path: VirtualPath): VirtualPath {
  return joinVirtualPath(rootPath, ...segmentsOf(path).slice(segmentsOf(mountPath).length));
}
