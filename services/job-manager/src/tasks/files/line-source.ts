const lineEnd = 0x0a;

/** The bytes of a stream, taken by lines. A line ends with LF; the last one may have no end. */
export class LineSource {
  readonly #chunks: AsyncIterator<Buffer>;
  #rest: Buffer | undefined;

  constructor(chunks: AsyncIterable<Buffer>) {
    this.#chunks = chunks[Symbol.asyncIterator]();
  }

  /** The next lines, at most so many, in chunks that do not end with them. */
  async *take(lines: number): AsyncGenerator<Buffer> {
    for (let left = lines; left > 0;) {
      const chunk = await this.#next();
      if (!chunk) return;
      let end = 0;
      while (left > 0 && end < chunk.length) {
        const at = chunk.indexOf(lineEnd, end);
        end = at === -1 ? chunk.length : at + 1;
        if (at !== -1) left -= 1;
      }
      if (end < chunk.length) this.#rest = chunk.subarray(end);
      yield chunk.subarray(0, end);
    }
  }

  /** Everything that is left. */
  async *remainder(): AsyncGenerator<Buffer> {
    for (let chunk = await this.#next(); chunk; chunk = await this.#next()) yield chunk;
  }

  /** Whether anything is left. */
  async hasMore(): Promise<boolean> {
    this.#rest = await this.#next();
    return this.#rest !== undefined;
  }

  async #next(): Promise<Buffer | undefined> {
    const rest = this.#rest;
    this.#rest = undefined;
    if (rest) return rest;
    for (;;) {
      const next: IteratorResult<Buffer, unknown> = await this.#chunks.next();
      if (next.done === true) return undefined;
      if (next.value.length > 0) return next.value;
    }
  }
}
