import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { type FilePlace, joinFilePlace } from '@waybill/contracts/tasks/file-place';

/** What an archive may have. */
export interface UnpackingLimits {
  readonly entriesAtMost: number;
  readonly bytesAtMost: number;
  readonly ratioAtMost: number;
  readonly depthAtMost: number;
}

/** An entry as its archive describes it. */
export interface ArchiveEntry {
  /** As it is in the archive; a folder may end with a slash. */
  readonly name: string;
  readonly kind: 'file' | 'folder';
  /** Unpacked bytes. */
  readonly size: number;
}

/** What is to be written. */
export interface UnpackingPlan {
  /** In an order in which they can be created. */
  readonly folders: readonly FilePlace[];
  /** The place of each file, by its number among all entries. */
  readonly files: ReadonlyMap<number, FilePlace>;
}

/** Content below this size is not measured against the size of its archive. */
const ratioFrom = 16_777_216;

/** Bytes of all paths, which become an output. */
const pathBytesAtMost = 1_048_576;

/** An archive that is not what it should be. */
export function archiveFault(reason: string, cause?: unknown): CodedError {
  return new CodedError('job_step_failed', { detail: `The archive is refused: ${reason}`, cause });
}

/** @throws CodedError `job_step_failed` if so many bytes are more than an archive of this size may hold */
export function checkSize(
  bytes: number,
  archiveBytes: number,
  { bytesAtMost, ratioAtMost }: Pick<UnpackingLimits, 'bytesAtMost' | 'ratioAtMost'>,
): void {
  if (bytes > bytesAtMost) throw archiveFault(`its content has more than ${bytesAtMost} bytes`);
  if (bytes > ratioFrom && bytes > archiveBytes * ratioAtMost) {
    throw archiveFault(`its content is more than ${ratioAtMost} times as large as the archive`);
  }
}

/** Collects the entries of an archive, and refuses those that may not be unpacked, before anything is written. */
export class UnpackingPlanner {
  readonly #limits: UnpackingLimits;
  readonly #archiveBytes: number;
  readonly #folder: FilePlace;
  readonly #files = new Map<number, FilePlace>();
  readonly #kinds = new Map<FilePlace, ArchiveEntry['kind'] | 'parent'>();
  #entries = 0;
  #bytes = 0;
  #pathBytes = 0;

  constructor(folder: FilePlace, archiveBytes: number, limits: UnpackingLimits) {
    this.#folder = folder;
    this.#archiveBytes = archiveBytes;
    this.#limits = limits;
  }

  /** @throws CodedError `job_step_failed` */
  add({ name, kind, size }: ArchiveEntry): void {
    const { entriesAtMost, depthAtMost } = this.#limits;
    const number = this.#entries;
    this.#entries += 1;
    if (this.#entries > entriesAtMost) throw archiveFault(`it has more than ${entriesAtMost} entries`);
    this.#bytes += size;
    checkSize(this.#bytes, this.#archiveBytes, this.#limits);
    const segments = segmentsOfName(name, kind);
    // `./` is the folder itself.
    if (segments.length === 0) return;
    if (segments.length > depthAtMost) throw archiveFault(`${shown(name)} is deeper than ${depthAtMost} folders`);
    const places = segments.map((_, index) => this.#placeOf(segments.slice(0, index + 1), name));
    for (const parent of places.slice(0, -1)) {
      if (this.#kinds.get(parent) === 'file') throw archiveFault(`${shown(name)} is below a file`);
      if (!this.#kinds.has(parent)) this.#note(parent, 'parent');
    }
    const place = places.at(-1) ?? this.#folder;
    const before = this.#kinds.get(place);
    if (before !== undefined && !(kind === 'folder' && before === 'parent')) {
      throw archiveFault(`${shown(name)} occurs twice`);
    }
    this.#note(place, kind);
    if (kind === 'file') this.#files.set(number, place);
  }

  plan(): UnpackingPlan {
    const folders = [...this.#kinds].flatMap(([place, kind]) => (kind === 'file' ? [] : [place]));
    // Parents are shorter.
    return { folders: folders.toSorted((one, other) => one.length - other.length), files: this.#files };
  }

  #note(place: FilePlace, kind: ArchiveEntry['kind'] | 'parent'): void {
    this.#kinds.set(place, kind);
    this.#pathBytes += Buffer.byteLength(place);
    if (this.#pathBytes > pathBytesAtMost) throw archiveFault('its paths have more than 1 MiB');
  }

  #placeOf(segments: readonly string[], name: string): FilePlace {
    try {
      return joinFilePlace(this.#folder, ...segments);
    } catch (error) {
      if (isCodedError(error, 'path_invalid')) throw archiveFault(`${shown(name)} is no path below a folder`, error);
      throw error;
    }
  }
}

/** Empty names, `..` and names with a backslash are left for the resolver of paths, or refused here. */
function segmentsOfName(name: string, kind: ArchiveEntry['kind']): string[] {
  if (name.includes('\\')) throw archiveFault(`${shown(name)} has a backslash`);
  if (name.startsWith('/') || /^[a-z]:/iu.test(name)) throw archiveFault(`${shown(name)} is an absolute path`);
  const relative = name.replace(/^(?:\.\/)+/u, '');
  const trimmed = kind === 'folder' ? relative.replace(/\/$/u, '') : relative;
  return kind === 'folder' && (trimmed === '' || trimmed === '.') ? [] : trimmed.split('/');
}

function shown(name: string): string {
  return JSON.stringify(name.length > 100 ? `${name.slice(0, 100)}…` : name);
}
