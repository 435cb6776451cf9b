import {
  isWithin,
  joinVirtualPath,
  segmentsOf,
  virtualPathOf,
  type VirtualPath,
} from '@waybill/contracts/values/virtual-path';
import type { Location } from '@waybill/directory/access/mounts';

/** A path of the user's tree, and the place in a VFS that it stands for. */
export interface NamedPlace {
  readonly path: VirtualPath;
  /** Undefined for a folder that only leads to a mount. */
  readonly vfsId: string | undefined;
  readonly vfsPath: VirtualPath;
}

/** A path of the user's tree with the place that it stands for. */
export function namedPlace(path: VirtualPath, location: Location | undefined): NamedPlace {
  return { path, vfsId: location?.vfs.id, vfsPath: location?.path ?? path };
}

/** Where a file or folder is that a session has open. It changes when the session renames it. */
export class OpenPlace implements NamedPlace {
  #named: NamedPlace;
  /** The session has removed or replaced what was opened here. */
  isGone = false;
  /** Another session has removed it. */
  isLost = false;

  constructor(named: NamedPlace) {
    this.#named = named;
  }

  get path(): VirtualPath {
    return this.#named.path;
  }

  get vfsId(): string | undefined {
    return this.#named.vfsId;
  }

  get vfsPath(): VirtualPath {
    return this.#named.vfsPath;
  }

  /** Whether it is this place of a VFS. */
  isAt(place: Pick<NamedPlace, 'vfsId' | 'vfsPath'>): boolean {
    return !this.isGone && !this.isLost && this.vfsId === place.vfsId && this.vfsPath === place.vfsPath;
  }

  /** Where another session has moved it; undefined when it has removed it. */
  relocate(vfsPath: VirtualPath | undefined): void {
    this.isLost = vfsPath === undefined;
    if (vfsPath === undefined || vfsPath === this.vfsPath) return;
    const mounted = segmentsOf(this.path).slice(0, segmentsOf(this.path).length - segmentsOf(this.vfsPath).length);
    this.#named = { vfsId: this.vfsId, vfsPath, path: virtualPathOf([...mounted, ...segmentsOf(vfsPath)]) };
  }

  /** Follows a rename of this or of a folder above it. Returns whether it was concerned. */
  follow(from: NamedPlace, to: NamedPlace): boolean {
    if (this.isGone || this.vfsId !== from.vfsId || !isWithin(this.vfsPath, from.vfsPath)) return false;
    const vfsPath = rebase(this.vfsPath, from.vfsPath, to.vfsPath);
    const path = isWithin(this.path, from.path) ? rebase(this.path, from.path, to.path) : this.path;
    this.#named = { vfsId: this.vfsId, vfsPath, path };
    return true;
  }
}

function rebase(path: VirtualPath, from: VirtualPath, to: VirtualPath): VirtualPath {
  return joinVirtualPath(to, ...segmentsOf(path).slice(segmentsOf(from).length));
}
