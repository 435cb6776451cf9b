import type { Reusable } from '../limits/connection-pool.ts';

/** What a server says of a file. */
export interface RemoteFile {
  readonly size: number;
  readonly kind: 'file' | 'folder' | 'other';
  /** Seconds since 1970. */
  readonly modifiedAt: number;
  /** Identifies this content, where the server does so: with another one, the file is another one. */
  readonly version?: string | undefined;
}

/** An entry of a folder, as the server names it: the name can be anything. */
export interface RemoteEntry extends RemoteFile {
  readonly name: string;
}

/** Files of a server that can be fetched. Paths are as the server takes them. Every call has a timeout and takes a signal. */
export interface RemoteSource {
  /** `undefined` if there is nothing. Links are followed. */
  stat(path: string, signal: AbortSignal): Promise<RemoteFile | undefined>;
  /** The entries with these names; servers may leave others out. */
  list(path: string, isWanted: (name: string) => boolean, signal: AbortSignal): Promise<RemoteEntry[]>;
  /** The bytes from an offset to the end, in chunks. */
  read(path: string, offset: number, signal: AbortSignal): AsyncIterable<Buffer>;
  /** Replaces a file at the target: atomically if the server can, otherwise by removing it before. */
  replace(from: string, to: string, signal: AbortSignal): Promise<void>;
  remove(path: string, signal: AbortSignal): Promise<void>;
}

/** Files of a server that can also be written, from any offset. */
export interface RemoteSession extends RemoteSource {
  /**
   * Bytes at the end of an interrupted file that may have holes, because the server may write requests in another order.
   */
  readonly unsettledBytes: number;
  /** Writes from an offset; 0 creates the file or empties it. Returns the offset of the end. */
  write(path: string, content: AsyncIterable<Buffer>, offset: number, signal: AbortSignal): Promise<number>;
  /** Fails if there is something at the target. */
  rename(from: string, to: string, signal: AbortSignal): Promise<void>;
}

/** A session that can be used again. */
export interface RemoteClient extends Reusable {
  readonly session: RemoteSession;
}
