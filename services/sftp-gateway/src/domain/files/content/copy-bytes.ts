import { refuseWhenOver, type Asking } from './refuse-when-over.ts';

const pieceBytes = 1024 * 1024;

/** Which bytes go where. */
export interface CopyOptions extends Asking {
  readonly source: { read(offset: number, length: number): Promise<Buffer> };
  readonly offset: number;
  readonly length: number;
  readonly target: { write(offset: number, data: Buffer): Promise<void> };
  readonly targetOffset: number;
}

/**
 * Copies bytes from one open file into another, and answers how many: fewer than asked for when the source ends.
 * @throws CodedError `service_unavailable` (nobody waits for it any more)
 */
export async function copyBytes(options: CopyOptions): Promise<number> {
  const { source, offset, length, target, targetOffset } = options;
  let copied = 0;
  for (;;) {
    refuseWhenOver(options);
    const wanted = Math.min(pieceBytes, length - copied);
    const bytes = wanted > 0 ? await source.read(offset + copied, wanted) : Buffer.alloc(0);
    if (bytes.length === 0) return copied;
    await target.write(targetOffset + copied, bytes);
    copied += bytes.length;
  }
}
