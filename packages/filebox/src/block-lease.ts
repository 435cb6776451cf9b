import { lendMemory } from './release-memory.ts';

/** Node has it, its types have not. */
declare const WebAssembly: {
  Memory: new (pages: { initial: number; maximum: number; shared: true }) => { readonly buffer: SharedArrayBuffer };
};

/** What one write takes: enough for a disk to be busy, little enough to be hashed while the next one fills. */
const blockBytes = 2 * 1024 * 1024;
const blocksOfLease = 4;
const leasesAtMost = 4;

/**
 * Memory of a few blocks that an upload is received into, in turns. It begins where pages do, so that a disk can take
 * what is in it without a copy, and other threads see it. Whoever disposes of it fills no block after that.
 */
export interface BlockLease extends Disposable {
  /** To be filled in this order, again and again. */
  readonly blocks: readonly Buffer[];
  /** The first bytes of a block as a chunk to be written. The block must not be touched until `releaseMemory` had the chunk. */
  lend(index: number, bytes: number): Uint8Array;
  /** Resolves when a block can be filled; undefined when it can be now. */
  whenFree(index: number): Promise<void> | undefined;
}

/** The leases of a store. There are few: more uploads at a time than that are received in the ordinary way. */
export interface BlockMemory {
  lease(): BlockLease | undefined;
}

/** True for chunks of a lease. */
export function isBlockMemory({ buffer }: Uint8Array): boolean {
  return buffer instanceof SharedArrayBuffer;
}

/** Memory is taken from the system with the first leases and kept. */
export function createBlockMemory(): BlockMemory {
  const idle: (readonly Buffer[])[] = [];
  let made = 0;
  const take = (): readonly Buffer[] | undefined => {
    const blocks = idle.pop();
    if (blocks || made === leasesAtMost) return blocks;
    const fresh = makeBlocks();
    made += 1;
    return fresh;
  };
  return {
    lease: () => {
      const blocks = take();
      return blocks && leaseOf(blocks, () => idle.push(blocks));
    },
  };
}

/** A memory of WebAssembly begins at a page and is shared between threads. Undefined where the system has no room for it. */
function makeBlocks(): readonly Buffer[] | undefined {
  const pages = (blockBytes * blocksOfLease) / (64 * 1024);
  try {
    const { buffer } = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true });
    return Array.from({ length: blocksOfLease }, (_, index) => Buffer.from(buffer, index * blockBytes, blockBytes));
  } catch {
    return undefined;
  }
}

function leaseOf(blocks: readonly Buffer[], onEnd: () => void): BlockLease {
  const lent = new Map<number, PromiseWithResolvers<void>>();
  let disposed = false;
  const endWhenIdle = (): void => {
    if (disposed && lent.size === 0) onEnd();
  };
  return {
    blocks,
    lend: (index, bytes) => {
      const block = blocks[index];
      if (!block || lent.has(index) || disposed) throw new Error(`block ${index} is not to be had`);
      const chunk = block.subarray(0, bytes);
      lent.set(index, Promise.withResolvers());
      lendMemory(chunk, () => {
        lent.get(index)?.resolve();
        lent.delete(index);
        endWhenIdle();
      });
      return chunk;
    },
    whenFree: (index) => lent.get(index)?.promise,
    [Symbol.dispose]: () => {
      if (disposed) return;
      disposed = true;
      endWhenIdle();
    },
  };
}
