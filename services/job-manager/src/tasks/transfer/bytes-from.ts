import { noteBytes } from '@waybill/service-kit/buffer-reclaimer';
import type { OpenedFile } from '../../domain/workflows/task.ts';

/** The bytes of a file from an offset. What is before it is read and dropped: reading here is cheap beside sending. */
export async function* bytesFrom(file: OpenedFile, offset: number): AsyncGenerator<Buffer> {
  if (offset >= file.size) return;
  let at = 0;
  const content: AsyncIterable<Buffer> = file.content();
  for await (const chunk of content) {
    const skipped = Math.min(chunk.length, Math.max(0, offset - at));
    at += chunk.length;
    noteBytes(chunk.length);
    if (skipped < chunk.length) yield chunk.subarray(skipped);
  }
}
