import { createHash } from 'node:crypto';
import type { FollowedFile } from '../blobs/hashing/file-hasher.ts';

/** A smaller file is hashed faster than it is handed to a thread; a bigger one would block the event loop. */
const followFromBytes = 4 * 1024 * 1024;

/** SHA-256 of bytes as they arrive. */
export interface InOrderHash {
  /** These bytes are being written. */
  update(chunk: Uint8Array, offset: number): void;
  /** All bytes so far have been written. */
  written(): void;
  /** The content was truncated or extended to this size. */
  truncate(size: number): void;
  /** Undefined if the bytes did not arrive in order: they must be read again. */
  digest(): Promise<Buffer | undefined>;
}

/**
 * A hash of content that only grows at its end, from zero bytes on.
 * @param follow makes another thread hash what is written, from the beginning; absent if there is no such thread
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
