import { createHash } from 'node:crypto';
import type { BlobWriter } from './blob-store.ts';
import { isBlockMemory } from './block-lease.ts';
import type { FedHash, FollowedFile } from './file-hasher.ts';

/** A small file is hashed sooner than a thread is told of it; a bigger one would hold up everybody else. */
const followFromBytes = 4 * 1024 * 1024;

/** SHA-256 of bytes as they arrive. */
export interface InOrderHash {
  /** Bytes that are being written. */
  update(chunk: Uint8Array, offset: number): void;
  /** Resolves when the memory of such a chunk is not looked at any more; undefined when that is so already. */
  taken(chunk: Uint8Array): Promise<void> | undefined;
  /** All of them so far have been written. */
  written(): void;
  /** The content was cut or filled to this size. */
  truncate(size: number): void;
  /** Undefined when the bytes did not arrive in order: they have to be read again. */
  digest(): Promise<Buffer | undefined>;
}

/**
 * A hash that knows the content only while it grows at its end, beginning with nothing. Where there is another thread that
 * can, it hashes what is in memory that it sees, or else follows what is written.
 */
export function createInOrderHash({ follow, feed }: Pick<BlobWriter, 'follow' | 'feed'> = {}): InOrderHash {
  let hash = createHash('sha256');
  let followed: FollowedFile | undefined;
  let fed: FedHash | undefined;
  const taking = new WeakMap<Uint8Array, Promise<void>>();
  let position = 0;
  let inOrder = true;
  const leave = (): void => {
    followed?.forget();
    fed?.forget();
    followed = undefined;
    fed = undefined;
  };
  return {
    update: (chunk, offset) => {
      inOrder &&= offset === position;
      if (!inOrder) return leave();
      if (position === 0 && isBlockMemory(chunk)) fed ??= feed?.();
      if (fed) taking.set(chunk, fed.feed(chunk));
      else if (!followed) hash.update(chunk);
      position += chunk.byteLength;
    },
    taken: (chunk) => taking.get(chunk),
    written: () => {
      if (!inOrder || fed) return;
      if (position >= followFromBytes) followed ??= follow?.();
      followed?.grown(position);
    },
    truncate: (size) => {
      if (size === 0) {
        leave();
        hash = createHash('sha256');
        position = 0;
        inOrder = true;
      } else {
        inOrder &&= size === position;
        if (!inOrder) leave();
      }
    },
    digest: async () => {
      if (!inOrder) return undefined;
      if (fed) return fed.digest();
      return followed ? followed.digest(position) : hash.digest();
    },
  };
}
