import type { SentRange } from '@waybill/download-coverage/download-coverage';

/** Parts of one file that have gaps between them; one that would be one more is not kept. */
const partsAtMost = 200;

/** Which bytes of a file were read, in whatever order. Parts that touch become one. */
export class ReadParts {
  #parts: SentRange[] = [];

  /** In order, with gaps between them. */
  get all(): readonly SentRange[] {
    return this.#parts;
  }

  /** True when no byte of a file of that size is missing. */
  covers(size: number): boolean {
    const [first] = this.#parts;
    return size === 0 || (first !== undefined && first.start === 0 && first.end >= size);
  }

  add({ start, end }: SentRange): void {
    const last = this.#parts.at(-1);
    // Nearly every READ goes on where the one before it ended.
    if (last !== undefined && start >= last.start && start <= last.end) {
      if (end > last.end) this.#parts[this.#parts.length - 1] = { start: last.start, end };
      return;
    }
    const before = this.#parts.filter((part) => part.end < start);
    const after = this.#parts.filter((part) => part.start > end);
    const touched = this.#parts.slice(before.length, this.#parts.length - after.length);
    if (touched.length === 0 && this.#parts.length >= partsAtMost) return;
    const merged = {
      start: Math.min(start, touched[0]?.start ?? start),
      end: Math.max(end, touched.at(-1)?.end ?? end),
    };
    this.#parts = [...before, merged, ...after];
  }
}
