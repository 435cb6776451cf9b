const batchChunks = 128;
const batchBytes = 4 * 1024 * 1024;

/** A call in the queue: a chunk to write at an offset, or other work that must not overlap a write. */
export interface ContentCall {
  chunk: Uint8Array | undefined;
  offset: number;
  work: (() => Promise<void>) | undefined;
  resolve(): void;
  reject(error: unknown): void;
}

/** The first call, and the chunks behind it that continue the file where it ends: they are written together. */
export function nextBatch(calls: readonly ContentCall[]): ContentCall[] {
  const batch: ContentCall[] = [];
  let end: number | undefined;
  let bytes = 0;
  for (const call of calls) {
    const follows = end === undefined || (call.chunk !== undefined && call.offset === end);
    if (!follows || batch.length === batchChunks || (bytes >= batchBytes && batch.length > 0)) break;
    batch.push(call);
    if (!call.chunk) break;
    end = call.offset + call.chunk.byteLength;
    bytes += call.chunk.byteLength;
  }
  return batch;
}
