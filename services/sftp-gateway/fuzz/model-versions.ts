import type { ModelTree, Place } from './model-tree.ts';
import { isAt, isUploadIn, type Written } from './model-version.ts';

/** The versions that the sessions of a model have open for writing, in the order of their start. */
export class ModelVersions {
  readonly all: Written[] = [];
  readonly #tree: ModelTree;

  constructor(tree: ModelTree) {
    this.#tree = tree;
  }

  /** The newest version that the session is writing there. */
  own(session: number, place: Place): Written | undefined {
    return this.all.findLast(
      (file) => file.session === session && file.content !== undefined && isAt(file, place) && file.handles > 0,
    );
  }

  /** The version that the session has open and has committed as the file there. */
  delivered(session: number, place: Place): Written | undefined {
    const version = this.#tree.version(place);
    if (version === undefined) return undefined;
    return this.all.find(
      (file) =>
        file.session === session && file.handles > 0 && file.content === undefined && file.deliveredVersion === version,
    );
  }

  /** What other sessions have open for writing at a path. */
  openElsewhere(session: number, path: string): readonly Written[] {
    const place = this.#tree.placeOf(path);
    if (!place) return [];
    return this.all.filter((file) => {
      if (file.session === session || file.handles === 0) return false;
      if (file.content !== undefined) return isAt(file, place);
      return file.deliveredVersion !== undefined && this.#tree.version(place) === file.deliveredVersion;
    });
  }

  /** Whether the file was removed or replaced, so that nothing more is committed through its handles. */
  isGone({ isGone, isLost, hasEnded, content, deliveredVersion }: Written): boolean {
    const isUndelivered = content === undefined && !this.#tree.placeOfVersion(deliveredVersion);
    return isGone || isLost || hasEnded || isUndelivered;
  }

  /** Whether other sessions have uploads in a folder. */
  hasUploadsElsewhere(session: number, path: string): boolean {
    const id = this.#tree.folder(path);
    return id !== undefined && this.all.some((file) => file.session !== session && isUploadIn(file, id));
  }

  /** False if the version that it committed no longer exists. */
  followDelivery(written: Written): boolean {
    const place = written.isGone ? undefined : this.#tree.placeOfVersion(written.deliveredVersion);
    if (!place) return false;
    written.place = place;
    return true;
  }

  /** Other sessions may have renamed the open files that the session has committed. */
  relocateDelivered(session: number): void {
    for (const file of this.all) {
      if (file.session !== session || file.content !== undefined || file.handles === 0) continue;
      file.isLost = !this.followDelivery(file);
    }
  }

  /**
   * Handles of a version that a commit has replaced continue with the new one: older versions without a later write,
   * and committed ones.
   */
  takeOver(written: Written): Written[] {
    const age = this.all.indexOf(written);
    const taken: Written[] = [];
    for (const [index, other] of this.all.entries()) {
      if (other === written || other.session !== written.session || !isAt(other, written.place)) continue;
      const isBroken = other.content === undefined && other.firstError !== undefined;
      if (isBroken) continue;
      const isIdle = other.content === undefined;
      const isReplaced = isIdle
        ? this.#tree.placeOfVersion(other.deliveredVersion) === undefined
        : other.isOutdated && index < age;
      if (other.handles === 0 || !isReplaced) continue;
      written.handles += other.handles;
      other.handles = 0;
      taken.push(other);
    }
    return taken;
  }

  /** The session's own versions are removed; those that follow the file are lost to other sessions. */
  end(session: number, place: Place, { isStored }: { isStored: boolean }): void {
    for (const file of this.all) {
      if (file.handles === 0 || !isAt(file, place)) continue;
      if (file.session === session) file.isGone = true;
      else if (isStored && file.followsFile && file.content !== undefined) file.isLost = true;
    }
  }
}
