/**
 * Releases the memory of a chunk that is no longer used; its length is 0 afterwards. V8 would otherwise accumulate tens
 * of megabytes of such memory and then scan the whole heap for it, many times in a gigabyte. Memory that the chunk may
 * share is not released.
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
