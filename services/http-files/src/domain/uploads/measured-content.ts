import { createHash } from 'node:crypto';

/** Content that is measured as it is read. */
export interface MeasuredContent {
  readonly content: AsyncIterable<Uint8Array>;
  /**
   * Reads what nobody has read yet, and answers size in bytes and SHA-256 in hexadecimal of the whole; nothing when a
   * reader has left it in the middle. To be asked once.
   */
  measure(): Promise<{ size: number; sha256: string } | undefined>;
}

/** Measures content. */
export function measuredContent(content: AsyncIterable<Uint8Array>): MeasuredContent {
  const hash = createHash('sha256');
  let size = 0;
  let isComplete = false;
  async function* pass() {
    for await (const chunk of content) {
      hash.update(chunk);
      size += chunk.length;
      yield chunk;
    }
    isComplete = true;
  }
  const passing = pass();
  return {
    content: passing,
    measure: async () => {
      for await (const _chunk of passing);
      return isComplete ? { size, sha256: hash.digest('hex') } : undefined;
    },
  };
}
