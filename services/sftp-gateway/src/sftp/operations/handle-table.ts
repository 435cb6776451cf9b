import { randomBytes } from 'node:crypto';
import { CodedError } from '@waybill/contracts/errors/coded-error';
import type { FoundEntry } from '../../domain/files/find-entry.ts';
import type { EntryIdentity } from '../../domain/files/handles/entry-description.ts';
import type { GrowingFile } from '../../domain/files/handles/growing-file.ts';
import type { OpenPlace } from '../../domain/files/handles/open-place.ts';
import type { ReadableFile } from '../../domain/files/handles/readable-file.ts';
import type { WritableFile } from '../../domain/files/handles/writable-file.ts';
import type { FolderListing } from '../../domain/files/open-folder.ts';
import type { CurrentFile } from '../transfers/activity-meter.ts';
import type { ReadAhead } from '../transfers/read-ahead.ts';

/** Something a client has open. */
export type OpenHandle =
  | { readonly kind: 'reading'; readonly file: ReadableFile; readonly ahead: ReadAhead }
  | { readonly kind: 'growing'; readonly file: GrowingFile }
  | { readonly kind: 'writing'; readonly file: WritableFile }
  | {
      readonly kind: 'folder';
      readonly place: OpenPlace;
      readonly listing: FolderListing;
      readonly description: FoundEntry;
    };

/** The file or folder of a handle, whatever is at its path now. */
export function identityOf(handle: OpenHandle): EntryIdentity {
  if (handle.kind === 'folder') return handle.description.identity;
  return handle.kind === 'reading' ? handle.file.identity : handle.file.written.identity;
}

/** Its present path, after the renames of this session. */
export function placeOf(handle: OpenHandle): OpenPlace {
  if (handle.kind === 'folder') return handle.place;
  return handle.kind === 'reading' ? handle.file.place : handle.file.written.place;
}

/**
 * The open files and folders of one channel. A handle is random, so that one of another channel, or a guessed one,
 * opens nothing.
 */
export class HandleTable {
  readonly #open = new Map<string, OpenHandle>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get size(): number {
    return this.#open.size;
  }

  /** The open file that was opened last. */
  get latestFile(): CurrentFile | undefined {
    const handle = [...this.#open.values()].findLast(({ kind }) => kind !== 'folder');
    if (handle === undefined) return undefined;
    return { path: placeOf(handle).path, direction: handle.kind === 'writing' ? 'upload' : 'download' };
  }

  /** Call this before the file is opened. @throws CodedError `too_many_requests` */
  requireRoom(): void {
    if (this.#open.size >= this.#limit) {
      throw new CodedError('too_many_requests', { detail: `At most ${this.#limit} files and folders can be open` });
    }
  }

  add(handle: OpenHandle): Buffer {
    const id = randomBytes(16);
    this.#open.set(id.toString('latin1'), handle);
    return id;
  }

  /** What a handle stands for, if it is open here. */
  peek(id: Buffer): OpenHandle | undefined {
    return this.#open.get(id.toString('latin1'));
  }

  /** @throws CodedError `validation_failed` for a handle that is not open here */
  get(id: Buffer): OpenHandle {
    const handle = this.peek(id);
    if (handle === undefined) throw new CodedError('validation_failed', { detail: 'No such handle is open' });
    return handle;
  }

  /** Removes a handle, even if closing it then fails. @throws CodedError `validation_failed` */
  take(id: Buffer): OpenHandle {
    const handle = this.get(id);
    this.#open.delete(id.toString('latin1'));
    return handle;
  }

  /** Removes all handles. */
  takeAll(): OpenHandle[] {
    const handles = [...this.#open.values()];
    this.#open.clear();
    return handles;
  }
}
