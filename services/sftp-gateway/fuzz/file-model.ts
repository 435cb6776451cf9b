import { isFolderName, type Expected, type OpenMode, type Step } from './file-steps.ts';
import { ModelTree, status, type Place } from './model-tree.ts';
import { isAt, isReading, isUploadIn, newVersion, refusalOf, type Handle, type Written } from './model-version.ts';
import { ModelVersions } from './model-versions.ts';

const { ok, eof, noSuchFile, failure } = status;

/**
 * The rules of docs/sftp.md for open files, without a database or a network: two sessions of two users over a few
 * names. A name is `a`, or `d/x` in a folder.
 */
export class FileModel {
  readonly #tree = new ModelTree();
  readonly versions = new ModelVersions(this.#tree);
  readonly #handles: Handle[] = [];

  /** Performs the request and returns its response. */
  apply(step: Step): Expected {
    switch (step.kind) {
      case 'open':
        return this.#open(step.session, step.path, step.mode);
      case 'write':
        return this.#write(this.handle(step), step.text, step.offset);
      case 'read':
        return this.#read(this.handle(step));
      case 'fstat':
        return describe(this.handle(step));
      case 'close':
        return this.#close(this.handle(step));
      case 'remove':
        return this.#remove(step.session, step.path);
      case 'mkdir':
        return this.#tree.makeFolder(step.path);
      case 'rmdir':
        return this.#removeFolder(step.session, step.path);
      case 'stat':
        return this.#stat(step.session, step.path);
      default:
        // The session looks where others have moved what it has delivered, whatever comes of the rename.
        this.versions.relocateDelivered(step.session);
        return isFolderName(step.from)
          ? this.#tree.renameFolder(step.from, step.to)
          : this.#rename(step.session, step, step.kind === 'posix-rename');
    }
  }

  /** Undefined if the session has no such open handle. */
  handle({ handle, session }: { handle: number; session: number }): Handle | undefined {
    const found = this.#handles[handle];
    return found?.isOpen === true && found.session === session ? found : undefined;
  }

  /** The open handles, by their numbers. */
  get openHandles(): { handle: number; session: number }[] {
    return this.#handles.flatMap(({ isOpen, session }, handle) => (isOpen ? [{ handle, session }] : []));
  }

  /** What a session is writing at a path and has not committed. */
  openHere(session: number, path: string): Written | undefined {
    const place = this.#tree.placeOf(path);
    return place && this.versions.own(session, place);
  }

  /** The folders, and the files with their committed content. */
  get delivered(): Readonly<Record<string, string | undefined>> {
    return this.#tree.entries();
  }

  #open(session: number, path: string, mode: OpenMode): Expected {
    const place = this.#tree.placeOf(path);
    if (!place) return noSuchFile;
    const own = this.versions.own(session, place);
    const stored = this.#tree.content(place);
    if (mode === 'r' || mode === 'rc') return this.#openToRead(session, place, mode);
    if (mode === 'x' && (own || stored !== undefined)) return failure;
    if (own && mode !== 'w') {
      own.handles += 1;
      return this.#add({ session, isOpen: true, mode, written: own });
    }
    const delivered = mode === 'w' ? undefined : this.versions.delivered(session, place);
    if (delivered) {
      delivered.place = { ...place };
      delivered.handles += 1;
      return this.#add({ session, isOpen: true, mode, written: delivered });
    }
    if (mode === 'r+' && stored === undefined) return noSuchFile;
    const goesOnFrom = mode === 'w' ? undefined : stored;
    this.versions.relocateDelivered(session);
    for (const other of this.versions.all) if (other.session === session && isAt(other, place)) other.isOutdated = true;
    const written = newVersion(session, place, { goesOnFrom, overwrite: mode !== 'x' });
    this.versions.all.push(written);
    return this.#add({ session, isOpen: true, mode, written });
  }

  #openToRead(session: number, place: Place, mode: 'r' | 'rc'): Expected {
    const own = this.versions.own(session, place);
    if (mode === 'rc' && !own && this.#tree.content(place) === undefined) this.#tree.store(place, '');
    if (own?.touched === true) return this.#add({ session, isOpen: true, mode, written: own });
    const snapshot = this.#tree.content(place);
    return snapshot === undefined ? noSuchFile : this.#add({ session, isOpen: true, mode, snapshot });
  }

  #add(handle: Handle): Expected {
    this.#handles.push(handle);
    return 'handle';
  }

  #write(handle: Handle | undefined, text: string, offset: number): Expected {
    const written = handle?.written;
    if (!handle || !written || isReading(handle)) return failure;
    written.touched = true;
    written.isOutdated = false;
    const refused = this.#reopen(written);
    if (refused !== undefined) {
      written.firstError ??= refused;
      return refused;
    }
    const content = written.content ?? '';
    const at = handle.mode === 'a' ? content.length : offset;
    written.content = content.slice(0, at).padEnd(at, '\0') + text + content.slice(at + text.length);
    return ok;
  }

  /** Continues with the committed version. */
  #reopen(written: Written): number | undefined {
    if (written.hasEnded) return failure;
    if (written.content !== undefined) return undefined;
    if (!this.versions.followDelivery(written)) return noSuchFile;
    written.content = this.#tree.content(written.place);
    written.followsFile = true;
    written.overwrite = true;
    return undefined;
  }

  #read(handle: Handle | undefined): Expected {
    if (!handle) return failure;
    if (handle.snapshot !== undefined) return textOf(handle.snapshot);
    const { written } = handle;
    if (!written || (handle.mode !== 'r+' && !isReading(handle))) return failure;
    if (isReading(handle) && written.content === undefined) {
      if (!this.versions.followDelivery(written)) return noSuchFile;
      handle.snapshot = this.#tree.content(written.place) ?? '';
      return textOf(handle.snapshot);
    }
    return this.#reopen(written) ?? textOf(written.content ?? '');
  }

  #close(handle: Handle | undefined): Expected {
    if (!handle) return failure;
    handle.isOpen = false;
    const { written } = handle;
    if (!written || isReading(handle)) return ok;
    written.handles -= 1;
    const isLast = written.handles === 0;
    if (written.firstError !== undefined) {
      // Without an upload, since its file is gone, nothing ends: later writes fail as the first one did.
      if (written.content !== undefined) written.hasEnded = true;
      return written.firstError;
    }
    if (written.isGone || !written.touched) {
      if (isLast) written.hasEnded = true;
      return ok;
    }
    return this.#deliver(written);
  }

  #deliver(written: Written): number {
    if (written.hasEnded) return failure;
    const isThere = this.#tree.has(written.place.folder);
    const replaces = this.#tree.content(written.place) !== undefined;
    const refused = refusalOf(written, { isThere, replaces });
    if (refused !== undefined) {
      written.hasEnded = true;
      return refused;
    }
    this.#tree.store(written.place, written.content ?? '');
    written.deliveredContent = written.content ?? '';
    written.content = undefined;
    written.touched = false;
    written.deliveredVersion = this.#tree.version(written.place);
    for (const replaced of this.versions.takeOver(written)) {
      for (const handle of this.#handles) if (handle.written === replaced) handle.written = written;
    }
    return ok;
  }

  #remove(session: number, path: string): Expected {
    this.versions.relocateDelivered(session);
    const place = this.#tree.placeOf(path);
    if (!place) return noSuchFile;
    const isStored = this.#tree.remove(place);
    const isOpen = this.versions.own(session, place) !== undefined;
    if (!isStored && !isOpen) return noSuchFile;
    this.versions.end(session, place, { isStored });
    return ok;
  }

  #rename(session: number, { from, to }: { from: string; to: string }, overwrite: boolean): Expected {
    const [source, target] = [this.#tree.placeOf(from), this.#tree.placeOf(to)];
    if (!source) return noSuchFile;
    const stored = this.#tree.content(source);
    if (stored === undefined && !this.versions.own(session, source)) return noSuchFile;
    if (!target) return noSuchFile;
    if (from === to) return ok;
    const isTaken = this.#tree.content(target) !== undefined || this.versions.own(session, target) !== undefined;
    if (isTaken && !overwrite) return failure;
    this.versions.end(session, target, { isStored: true });
    if (stored !== undefined) {
      this.#tree.move(source, target);
    }
    for (const file of this.versions.all) {
      if (file.handles === 0 || !isAt(file, source)) continue;
      const isOwn = file.session === session;
      if (!isOwn && !(file.followsFile && file.content !== undefined)) continue;
      file.place = { ...target };
      if (isOwn) file.overwrite = true;
    }
    return ok;
  }

  #removeFolder(session: number, path: string): Expected {
    const id = this.#tree.folder(path);
    if (id === undefined) return noSuchFile;
    const holdsUpload = this.versions.all.some((file) => file.session === session && isUploadIn(file, id));
    if (holdsUpload || this.#tree.holds(id)) return failure;
    this.#tree.removeFolder(path);
    return ok;
  }

  #stat(session: number, path: string): Expected {
    const place = this.#tree.placeOf(path);
    if (!place) return noSuchFile;
    const text = this.versions.own(session, place)?.content ?? this.#tree.content(place);
    return text === undefined ? noSuchFile : `size ${text.length}`;
  }
}

/** What a handle reads, or what its CLOSE would deliver. */
function describe(handle: Handle | undefined): Expected {
  if (!handle) return failure;
  const { snapshot, written } = handle;
  return `size ${(snapshot ?? written?.content ?? written?.deliveredContent ?? '').length}`;
}

const textOf = (text: string): Expected => (text === '' ? eof : `text ${text}`);
