/**
 * Gives the memory of a chunk back that nobody uses any more; its length is 0 afterwards. V8 would let tens of megabytes of
 * such memory gather and then look at the whole heap for it, many times in a gigabyte. Memory that the chunk may share
 * with others stays.
 */
export function releaseMemory({ buffer, byteLength }: Uint8Array): void {
  if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
