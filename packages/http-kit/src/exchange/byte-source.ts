import type { Writable } from 'node:stream';

/** A body that writes itself, so that its memory can be used again as soon as it has been sent. */
export interface ByteSource {
  /** Writes everything, waits until it has been handed over, and leaves the destination open. */
  writeTo(destination: Writable): Promise<void>;
}

/** Whether a body writes itself. */
export function isByteSource(body: unknown): body is ByteSource {
  return typeof body === 'object' && body !== null && 'writeTo' in body && typeof body.writeTo === 'function';
}
