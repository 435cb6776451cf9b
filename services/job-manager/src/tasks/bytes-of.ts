import { noteBytes } from '@waybill/service-kit/buffer-reclaimer';
import type { OpenedFile } from '../domain/workflows/task.ts';

/** The bytes of a file, until the signal is aborted. @throws the signal's reason */
export async function* bytesOf(file: OpenedFile, signal: AbortSignal): AsyncGenerator<Buffer> {
  signal.throwIfAborted();
  for await (const chunk of file.content()) {
    signal.throwIfAborted();
    if (!(chunk instanceof Buffer)) continue;
    noteBytes(chunk.length);
    yield chunk;
  }
}

/** A text as the content of a file. */
export async function* textBytes(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}
