const lenders = new WeakMap<Uint8Array, () => void>();

/** Says who is to hear of it when a chunk is given to `releaseMemory`, because its memory is to be used again. */
export function lendMemory(chunk: Uint8Array, onRelease: () => void): void {
  lenders.set(chunk, onRelease);
}

/**
 * Gives the memory of a chunk back that nobody uses any more: to whom it belongs, or else to the system; its length is 0 afterwards. V8 would let tens of megabytes of
 * such memory gather and then look at the whole heap for it, many times in a gigabyte. Memory that the chunk may share
 * with others stays.
 */
export function releaseMemory(chunk: Uint8Array): void {
  const { buffer, byteLength } = chunk;
  const onRelease = lenders.get(chunk);
  if (onRelease) {
    lenders.delete(chunk);
    onRelease();
  } else if (buffer instanceof ArrayBuffer && buffer.byteLength === byteLength) buffer.transfer(0);
}
