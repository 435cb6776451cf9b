import { isFolderName, type Expected, type OpenMode, type Step } from './file-steps.ts';
import { ModelTree, status, type Place } from './model-tree.ts';
import { isAt, isReading, newVersion, refusalOf, type Handle, type Written } from './model-version.ts';

const { ok, eof, noSuchFile, failure } = status;

/**
 * The rules of docs/sftp.md for files that are open, without a database or a network: two sessions of two users over a few
 * names. A name is `a`, or `d/x` in a folder.
 */
export class FileModel {
  readonly #tree = new ModelTree();
  readonly #written: Written[] = [];
  readonly #handles: Handle[] = [];

  /** False for what the rules leave open: another session renames a folder with a file that is open and was delivered already. */
  covers(step: Step): boolean {
    if (step.kind !== 'rename' && step.kind !== 'posix-rename') return true;
    const folder = isFolderName(step.from) ? this.#tree.folder(step.from) : undefined;
    return !this.#written.some(
      ({ place, session, content, handles }) =>
        place.folder === folder && session !== step.session && content === undefined && handles > 0,
    );
  }

  /** What the request is answered, after it was done. */
  apply(step: Step): Expected {
    switch (step.kind) {
      case 'open':
        return this.#open(step.session, step.path, step.mode);
      case 'write':
        return this.#write(this.#handle(step), step.text, step.offset);
      case 'read':
        return this.#read(this.#handle(step));
      case 'close':
        return this.#close(this.#handle(step));
      case 'remove':
        return this.#remove(step.session, step.path);
      case 'mkdir':
        return this.#tree.makeFolder(step.path);
      case 'rmdir':
        return this.#removeFolder(step.session, step.path);
      case 'stat':
        return this.#stat(step.session, step.path);
      default:
        return isFolderName(step.from)
          ? this.#tree.renameFolder(step.from, step.to)
          : this.#rename(step.session, step, step.kind === 'posix-rename');
    }
  }

  #handle({ handle, session }: { handle: number; session: number }): Handle | undefined {
    const found = this.#handles[handle];
    return found?.isOpen === true && found.session === session ? found : undefined;
  }

  /** What the session is writing there, the newest version. */
  #own(session: number, place: Place): Written | undefined {
    return this.#written.findLast(
      (file) => file.session === session && file.content !== undefined && isAt(file, place) && file.handles > 0,
    );
  }

  #open(session: number, path: string, mode: OpenMode): Expected {
    const place = this.#tree.placeOf(path);
    if (!place) return noSuchFile;
    const own = this.#own(session, place);
    const stored = this.#tree.content(place);
    if (mode === 'r' || mode === 'rc') return this.#openToRead(session, place, mode);
    if (mode === 'x' && (own || stored !== undefined)) return failure;
    if (own && mode !== 'w') {
      own.handles += 1;
      return this.#add({ session, isOpen: true, mode, written: own });
    }
    if (mode === 'r+' && stored === undefined) return noSuchFile;
    const goesOnFrom = mode === 'w' ? undefined : stored;
    for (const other of this.#written) if (other.session === session && isAt(other, place)) other.isOutdated = true;
    const written = newVersion(session, place, { goesOnFrom, overwrite: mode !== 'x' });
    this.#written.push(written);
    return this.#add({ session, isOpen: true, mode, written });
  }

  #openToRead(session: number, place: Place, mode: 'r' | 'rc'): Expected {
    const own = this.#own(session, place);
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
    written.isSuperseded = false;
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

  /** Goes on from what was delivered. */
  #reopen(written: Written): number | undefined {
    if (written.hasEnded) return failure;
    if (written.content !== undefined) return undefined;
    const stored = this.#tree.content(written.place);
    if (written.isGone || stored === undefined) return noSuchFile;
    written.content = stored;
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
      const stored = this.#tree.content(written.place);
      const isOwn = !written.isGone && this.#tree.version(written.place) === written.deliveredVersion;
      if (stored === undefined || !isOwn) return noSuchFile;
      handle.snapshot = stored;
      return textOf(stored);
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
      written.hasEnded = true;
      return written.firstError;
    }
    if (written.isGone || written.isSuperseded || !written.touched) {
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
    written.deliveredVersion = this.#tree.version(written.place);
    written.content = undefined;
    written.touched = false;
    for (const other of this.#written) {
      if (other === written) break;
      if (other.session === written.session && other.isOutdated && isAt(other, written.place)) {
        other.isSuperseded = true;
      }
    }
    return ok;
  }

  #remove(session: number, path: string): Expected {
    const place = this.#tree.placeOf(path);
    if (!place) return noSuchFile;
    const isStored = this.#tree.remove(place);
    const isOpen = this.#own(session, place) !== undefined;
    if (!isStored && !isOpen) return noSuchFile;
    this.#endVersions(session, place, { isStored });
    return ok;
  }

  /** The session's own versions are gone; those that follow the file are lost to other sessions. */
  #endVersions(session: number, place: Place, { isStored }: { isStored: boolean }): void {
    for (const file of this.#written) {
      if (file.handles === 0 || !isAt(file, place)) continue;
      if (file.session === session) file.isGone = true;
      else if (isStored && file.followsFile && file.content !== undefined) file.isLost = true;
    }
  }

  #rename(session: number, { from, to }: { from: string; to: string }, overwrite: boolean): Expected {
    const [source, target] = [this.#tree.placeOf(from), this.#tree.placeOf(to)];
    if (!source) return noSuchFile;
    const stored = this.#tree.content(source);
    if (stored === undefined && !this.#own(session, source)) return noSuchFile;
    if (!target) return noSuchFile;
    if (from === to) return ok;
    const isTaken = this.#tree.content(target) !== undefined || this.#own(session, target) !== undefined;
    if (isTaken && !overwrite) return failure;
    this.#endVersions(session, target, { isStored: true });
    if (stored !== undefined) {
      this.#tree.move(source, target);
    }
    for (const file of this.#written) {
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
    const holdsUpload = this.#written.some(
      (file) =>
        file.session === session &&
        file.content !== undefined &&
        file.handles > 0 &&
        !file.isGone &&
        !file.isLost &&
        !file.hasEnded &&
        file.place.folder === id,
    );
    if (holdsUpload || this.#tree.holds(id)) return failure;
    this.#tree.removeFolder(path);
    return ok;
  }

  #stat(session: number, path: string): Expected {
    const place = this.#tree.placeOf(path);
    if (!place) return noSuchFile;
    const text = this.#own(session, place)?.content ?? this.#tree.content(place);
    return text === undefined ? noSuchFile : `size ${text.length}`;
  }
}

const textOf = (text: string): Expected => (text === '' ? eof : `text ${text}`);
