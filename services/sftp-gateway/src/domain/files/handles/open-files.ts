import { nameOf, type VirtualPath } from '@waybill/contracts/values/virtual-path';
import { OpenPlace, type NamedPlace } from './open-place.ts';
import type { WrittenFile } from './written-file.ts';
import type { PlacesNow } from './written-upload.ts';

/**
 * What a session has open, by place. A handle belongs to its file, not to a name: what the session renames takes its handles
 * along, and what it removes or replaces leaves them without a place.
 */
export class OpenFiles {
  readonly #places = new Set<OpenPlace>();
  readonly #written = new Set<WrittenFile>();
  /** Which of all versions it is, counted from the first. */
  readonly #ages = new WeakMap<WrittenFile, number>();
  #begun = 0;

  open(named: NamedPlace): OpenPlace {
    const place = new OpenPlace(named);
    this.#places.add(place);
    return place;
  }

  close(place: OpenPlace): void {
    this.#places.delete(place);
  }

  addWritten(file: WrittenFile): void {
    for (const other of this.#written) if (other.place.isAt(file.place)) other.isOutdated = true;
    this.#written.add(file);
    this.#begun += 1;
    this.#ages.set(file, this.#begun);
  }

  closeWritten(file: WrittenFile): void {
    this.#written.delete(file);
    this.#places.delete(file.place);
  }

  /** The version that is being written at a place and was not committed yet; of several the newest one. */
  writtenAt(place: Pick<NamedPlace, 'vfsId' | 'vfsPath'>): WrittenFile | undefined {
    const there = [...this.#written].filter((file) => file.blobId !== undefined && file.place.isAt(place));
    return there.toSorted((one, other) => this.#ageOf(one) - this.#ageOf(other)).at(-1);
  }

  /** Blob ids of all that is being written and was not committed yet. */
  get uploads(): string[] {
    return [...this.#written].flatMap(({ blobId }) => blobId ?? []);
  }

  /** Notes where the uploads are: other sessions may have renamed or removed the files that they follow, or their folders. */
  async relocate(find: (blobIds: readonly string[]) => Promise<ReadonlyMap<string, VirtualPath>>): Promise<void> {
    const asked = this.uploads;
    const places = await find(asked);
    for (const { blobId, place } of this.#written) {
      if (blobId !== undefined && asked.includes(blobId) && !place.isGone) place.relocate(places.get(blobId));
    }
  }

  /** What the session has committed as this file, and still has open. */
  committedAs(id: string): WrittenFile | undefined {
    return [...this.#written].find((file) => file.blobId === undefined && file.committedId === id);
  }

  /**
   * Whether an upload that was begun elsewhere may be at this place by now: a new version of a file goes wherever others rename
   * the file to, any other upload only with its folder.
   */
  mayHaveMovedTo(vfsPath: VirtualPath): boolean {
    return [...this.#written].some(
      ({ blobId, identity, committedId = identity.id, place }) =>
        blobId !== undefined && (committedId !== undefined || nameOf(place.vfsPath) === nameOf(vfsPath)),
    );
  }

  /** What the session has open and has committed, and not written to since. */
  get committed(): WrittenFile[] {
    return [...this.#written].filter(({ isIdle, committedId }) => isIdle && committedId !== undefined);
  }

  /**
   * A version was committed. Handles of those that it has replaced go on from it: older ones that nothing was written to since it
   * began, and committed ones, unless others have moved them away before.
   */
  async noteCommit(file: WrittenFile, look: PlacesNow): Promise<void> {
    const isBeside = (other: WrittenFile) => other !== file && other.place.isAt(file.place);
    const isOutdated = (other: WrittenFile) =>
      other.isOutdated && other.blobId !== undefined && this.#ageOf(other) < this.#ageOf(file);
    if ([...this.#written].some(isOutdated)) await this.relocate(look.uploads);
    const replaced = [...this.#written].filter((other) => isBeside(other) && isOutdated(other));
    const idle = this.committed.filter(isBeside);
    if (idle.length > 0) {
      const there = await look.files(idle.flatMap(({ committedId }) => committedId ?? []));
      replaced.push(...idle.filter((other) => other.isIdle && !there.has(other.committedId ?? '')));
    }
    if (replaced.length === 0) return;
    this.#places.add(file.place);
    this.#written.add(file);
    await Promise.all(replaced.map((other) => other.joinTo(file)));
  }

  /** Something was renamed, with these of its uploads, in place of what was at the new path, with these of its uploads. */
  renamed(from: NamedPlace, to: NamedPlace, uploads: { moved: readonly string[]; removed: readonly string[] }): void {
    this.removed(to, uploads.removed);
    for (const place of this.#places) if (!this.#isUploadBeside(place, from, uploads.moved)) place.follow(from, to);
    for (const { blobId, place } of this.#written) {
      if (blobId !== undefined && uploads.moved.includes(blobId)) place.relocate(to.vfsPath);
    }
    for (const file of this.#written) file.noteRename(uploads.moved);
  }

  /** What was at a place was removed, with these of its uploads. */
  removed(at: NamedPlace, uploads: readonly string[]): void {
    for (const place of this.#places) {
      if (place.isAt(at) && !this.#isUploadBeside(place, at, uploads)) place.isGone = true;
    }
    for (const { blobId, place } of this.#written) {
      if (blobId !== undefined && uploads.includes(blobId)) place.isGone = true;
    }
  }

  #ageOf(file: WrittenFile): number {
    return this.#ages.get(file) ?? 0;
  }

  /** An upload that a change of its place did not concern: another session had moved it before. */
  #isUploadBeside(place: OpenPlace, at: NamedPlace, concerned: readonly string[]): boolean {
    return [...this.#written].some(
      (file) => file.place === place && place.isAt(at) && file.blobId !== undefined && !concerned.includes(file.blobId),
    );
  }
}
