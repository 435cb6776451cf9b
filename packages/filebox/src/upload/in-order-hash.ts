import { createHash } from 'node:crypto';
import type { FollowedFile } from '../blobs/hashing/file-hasher.ts';

/** A small file is hashed sooner than a thread is told of it; a bigger one would hold up everybody else. */
const followFromBytes = 4 * 1024 * 1024;

/** SHA-256 of bytes as they arrive. */
export interface InOrderHash {
  /** Bytes that are being written. */
  update(chunk: Uint8Array, offset: number): void;
  /** All of them so far have been written. */
  written(): void;
  /** The content was cut or filled to this size. */
  truncate(size: number): void;
  /** Undefined when the bytes did not arrive in order: they have to be read again. */
  digest(): Promise<Buffer | undefined>;
}

/**
 * A hash that knows the content only while it grows at its end, beginning with nothing.
 *
 * @param follow lets another thread hash what is written, from the beginning on; absent where there is none that can
 */
export function createInOrderHash(follow?: () => FollowedFile): InOrderHash {
  let hash = createHash('sha256');
  let followed: FollowedFile | undefined;
  let position = 0;
  let inOrder = true;
  const leave = (): void => {
    followed?.forget();
    followed = undefined;
  };
  return {
    update: (chunk, offset) => {
      inOrder &&= offset === position;
      if (!inOrder) return leave();
      if (!followed) hash.update(chunk);
      position += chunk.byteLength;
    },
    written: () => {
      if (!inOrder) return;
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
      return followed ? followed.digest(position) : hash.digest();
    },
  };
}
