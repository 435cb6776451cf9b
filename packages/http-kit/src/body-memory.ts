/** Memory that a body is received into. */
export interface BodyMemory {
  /** Filled in this order, again and again. */
  readonly blocks: readonly Buffer[];
  /** The first bytes of a block as a chunk for whoever reads the body; the block is filled again when it is free. */
  lend(index: number, bytes: number): Uint8Array;
  /** Resolves when a block can be filled; undefined when it can be now. */
  whenFree(index: number): Promise<void> | undefined;
}
