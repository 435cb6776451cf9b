import { createHash } from 'node:crypto';
import { open, type FileHandle } from 'node:fs/promises';

/** A part of a file. */
export interface Part {
  readonly id: number;
  readonly data: Buffer;
}

/**
 * Stores the parts of a file in the order in which they arrive, as cheaply as one thread of Node can: it computes the SHA-256
 * and writes all that has arrived since the last write at once. `done` is called for each part when it is written, and for
 * an end when the file is on the disk.
 */
export function storeInOrder(path: string, done: (id: number) => void) {
  let parts: Part[] = [];
  let ending: number | undefined;
  let file: FileHandle | undefined;
  let hash = createHash('sha256');
  let isWriting = false;

  const writeAll = async (): Promise<void> => {
    isWriting = true;
    while (parts.length > 0) {
      const taken = parts;
      parts = [];
      file ??= await open(path, 'w');
      for (const { data } of taken) hash.update(data);
      await file.writev(taken.map(({ data }) => data));
      for (const part of taken) done(part.id);
    }
    if (ending !== undefined) {
      await file?.sync();
      await file?.close();
      hash.digest();
      done(ending);
      file = ending = undefined;
      hash = createHash('sha256');
    }
    isWriting = false;
  };
  const wake = (): void => {
    if (!isWriting) void writeAll();
  };
  return {
    add: (part: Part): void => {
      parts.push(part);
      wake();
    },
    /** The CLOSE of the file. */
    end: (id: number): void => {
      ending = id;
      wake();
    },
  };
}
