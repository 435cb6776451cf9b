import type { Download } from '@waybill/filebox/model/download';
import type { EntryDescription, EntryIdentity } from './entry-description.ts';
import type { OpenPlace } from './open-place.ts';

/** A file that a user reads. */
export interface ReadableFile {
  readonly place: OpenPlace;
  readonly identity: EntryIdentity;
  readonly description: EntryDescription;
  /** Its modification time was set. */
  noteModifiedAt(modifiedAt: Date): void;
  /** Hash of all of it, as it was received; 64 hexadecimal digits. */
  readonly sha256: string;
  /** At most `length` bytes; none behind the end. Calls may overlap. */
  read(offset: number, length: number): Promise<Buffer>;
  /** The same into memory of the caller; answers with the number of bytes. They do not count as read before `noteRead`. */
  readInto(target: Buffer, offset: number): Promise<number>;
  /** The reader gets these bytes. */
  noteRead(offset: number, bytes: number): void;
  /** The reader was told that there is no more. */
  foundEnd(): void;
  /** All of it, for a copy; it counts as read. */
  whole(): Pick<Download, 'entry' | 'read'>;
  /** The reader is done, or gone. What was read from beginning to end counts as downloaded, on the record too. */
  close(): Promise<void>;
}
