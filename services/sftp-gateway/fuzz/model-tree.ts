/** A file's place: its folder, by identity and not by name, and its name there. */
export interface Place {
  folder: number;
  name: string;
}

/** Status codes (draft-ietf-secsh-filexfer-02, section 7). */
export const status = { ok: 0, eof: 1, noSuchFile: 2, failure: 4 } as const;

/** The committed files, in folders that can be renamed. */
export class ModelTree {
  readonly #folders = new Map<string, number>([['', 0]]);
  readonly #files = new Map<string, { content: string; version: number }>();
  #versions = 0;
  #folderIds = 0;

  /** Undefined if the folder is missing. */
  placeOf(path: string): Place | undefined {
    const [first = '', second] = path.split('/');
    const folder = this.#folders.get(second === undefined ? '' : first);
    return folder === undefined ? undefined : { folder, name: second ?? first };
  }

  folder(name: string): number | undefined {
    return this.#folders.get(name);
  }

  /** Paths, with the content of files; folders have none. */
  entries(): Record<string, string | undefined> {
    const entries: Record<string, string | undefined> = {};
    for (const [folder, id] of this.#folders) {
      if (folder !== '') entries[folder] = undefined;
      for (const [key, { content }] of this.#files) {
        const [of, name = ''] = key.split('/');
        if (of === `${id}`) entries[folder === '' ? name : `${folder}/${name}`] = content;
      }
    }
    return entries;
  }

  holds(folder: number): boolean {
    return [...this.#files.keys()].some((key) => key.startsWith(`${folder}/`));
  }

  has(folder: number): boolean {
    return [...this.#folders.values()].includes(folder);
  }

  content(place: Place): string | undefined {
    return this.#files.get(keyOf(place))?.content;
  }

  store(place: Place, content: string): void {
    this.#versions += 1;
    this.#files.set(keyOf(place), { content, version: this.#versions });
  }

  /** The version that is there. */
  version(place: Place): number | undefined {
    return this.#files.get(keyOf(place))?.version;
  }

  /** The present place of a version. */
  placeOfVersion(wanted: number | undefined): Place | undefined {
    for (const [key, { version }] of this.#files) {
      const [folder, name = ''] = key.split('/');
      if (version === wanted) return { folder: Number(folder), name };
    }
    return undefined;
  }

  /** Replaces what is at the target. */
  move(source: Place, target: Place): void {
    const file = this.#files.get(keyOf(source));
    this.#files.delete(keyOf(source));
    if (file) this.#files.set(keyOf(target), file);
  }

  /** False if there is no file. */
  remove(place: Place): boolean {
    return this.#files.delete(keyOf(place));
  }

  makeFolder(name: string): number {
    if (this.#folders.has(name)) return status.failure;
    this.#folderIds += 1;
    this.#folders.set(name, this.#folderIds);
    return status.ok;
  }

  removeFolder(name: string): void {
    this.#folders.delete(name);
  }

  renameFolder(from: string, to: string): number {
    const id = this.#folders.get(from);
    if (id === undefined) return status.noSuchFile;
    if (from === to) return status.ok;
    if (this.#folders.has(to)) return status.failure;
    this.#folders.delete(from);
    this.#folders.set(to, id);
    return status.ok;
  }
}

const keyOf = ({ folder, name }: Place): string => `${folder}/${name}`;
