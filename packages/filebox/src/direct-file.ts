import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';

/** What memory, place and length have to be a multiple of: pages, and sectors of whatever disk. */
const unitBytes = 4096;

/**
 * A file that is written past the page cache, where that can be: what a big upload brings is copied by nobody and waits for
 * nobody to write it down. What survives a crash is still up to a sync of the file, through whatever handle.
 */
export interface DirectFile {
  /** False once the file system has refused: then `write` does nothing. */
  isAccepted(): boolean;
  /**
   * Writes as much of a chunk as it can, from its beginning, and answers how much that was: none of it unless memory and
   * offset are those of whole pages.
   */
  write(chunk: Uint8Array, offset: number): Promise<number>;
  close(): Promise<void>;
}

/** A way to write past the page cache, to be opened by the first write that takes it. */
export function createDirectFile(path: string): DirectFile {
  const { O_DIRECT: direct, O_NOFOLLOW, O_WRONLY } = constants;
  // Not every system knows it.
  let accepted = direct > 0;
  let opened: Promise<FileHandle> | undefined;
  return {
    isAccepted: () => accepted,
    write: async (chunk, offset) => {
      const bytes = chunk.byteLength - (chunk.byteLength % unitBytes);
      const isAligned = chunk.byteOffset % unitBytes === 0 && offset % unitBytes === 0;
      if (!accepted || bytes === 0 || !isAligned) return 0;
      try {
        opened ??= open(path, O_WRONLY | O_NOFOLLOW | direct);
        return (await (await opened).write(chunk, 0, bytes, offset)).bytesWritten;
      } catch (error) {
        if (!isRefused(error)) throw error;
        accepted = false;
        return 0;
      }
    },
    close: async () => {
      const handle = await opened?.catch(() => undefined);
      opened = undefined;
      await handle?.close();
    },
  };
}

/** Of file systems such as tmpfs, or a memory that does not begin where the disk wants it to. */
function isRefused(error: unknown): boolean {
  const code = error instanceof Error && 'code' in error ? error.code : '';
  return code === 'EINVAL' || code === 'ENOTSUP' || code === 'EOPNOTSUPP';
}
