import { createHash } from 'node:crypto';
import { closeSync, constants, openSync, readSync } from 'node:fs';
import type { HashRequest } from './file-hasher.ts';

/** Small enough to stay in the processor's cache between the read and the hash. */
const chunkBytes = 256 * 1024;

/** How much of one file the thread hashes before it turns to the next one. */
const turnBytes = 2 * 1024 * 1024;

/** Hashes any number of files while they grow. */
export interface FileFollower {
  note(request: Exclude<HashRequest, { kind: 'digest' }>): void;
}

/** Callbacks. A failure is reported when the digest is requested. */
export interface FileFollowerPorts {
  onDigest(id: number, sha256: Uint8Array): void;
  onFailure(id: number, error: unknown): void;
}

interface Followed {
  fd: number | undefined;
  hash: ReturnType<typeof createHash>;
  position: number;
  /** How many bytes have been written. */
  toBytes: number;
  /** Its size, once the digest is requested. */
  sizeBytes: number | undefined;
  failure: { error: unknown } | undefined;
}

/**
 * Follows files on a dedicated thread, which may therefore block on reads: bytes that were just written are read from
 * memory.
 */
export function createFileFollower({ onDigest, onFailure }: FileFollowerPorts): FileFollower {
  const buffer = Buffer.allocUnsafeSlow(chunkBytes);
  const files = new Map<number, Followed>();
  let scheduled = false;

  const forget = (id: number): void => {
    const fd = files.get(id)?.fd;
    files.delete(id);
    if (fd !== undefined) closeSync(fd);
  };
  const work = (): void => {
    scheduled = false;
    for (const [id, file] of files) {
      takeTurn(file, buffer);
      if (file.sizeBytes === undefined || !(file.failure || file.position >= file.sizeBytes)) continue;
      if (file.failure) onFailure(id, file.failure.error);
      else onDigest(id, file.hash.digest());
      forget(id);
    }
    if ([...files.values()].some(({ failure, position, toBytes }) => !failure && position < toBytes)) schedule();
  };
  const schedule = (): void => {
    if (!scheduled) setImmediate(work);
    scheduled = true;
  };

  return {
    note: (request) => {
      if (request.kind === 'follow') files.set(request.id, openFirst(request.paths));
      const file = files.get(request.id);
      if (!file) return;
      if (request.kind === 'grown') file.toBytes = Math.max(file.toBytes, request.toBytes);
      if (request.kind === 'end') file.toBytes = file.sizeBytes = request.sizeBytes;
      if (request.kind === 'forget') forget(request.id);
      else schedule();
    },
  };
}

function openFirst(paths: readonly string[]): Followed {
  const followed = { hash: createHash('sha256'), position: 0, toBytes: 0, sizeBytes: undefined };
  let failure: Followed['failure'];
  for (const path of paths) {
    try {
      const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW);
      return { ...followed, fd, failure: undefined };
    } catch (error) {
      failure ??= { error };
    }
  }
  return { ...followed, fd: undefined, failure: failure ?? { error: new Error('no path') } };
}

function takeTurn(file: Followed, buffer: Buffer): void {
  const { fd, hash, failure } = file;
  if (fd === undefined || failure) return;
  const end = Math.min(file.toBytes, file.position + turnBytes);
  try {
    while (file.position < end) {
      const bytesRead = readSync(fd, buffer, 0, Math.min(chunkBytes, end - file.position), file.position);
      if (bytesRead === 0) throw new Error('the file is shorter than expected');
      hash.update(buffer.subarray(0, bytesRead));
      file.position += bytesRead;
    }
  } catch (error) {
    file.failure = { error };
  }
}
