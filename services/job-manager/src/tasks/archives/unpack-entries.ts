import type { FilePlace } from '@waybill/contracts/tasks/file-place';
import type { TaskContext } from '../../domain/workflows/task.ts';
import type { UnpackingPlan } from './unpacking-plan.ts';

/** Writes what an archive holds. What an earlier attempt has written is passed over. */
export interface Unpacker {
  /** Writes a file; `content` is called if it is needed. */
  write(place: FilePlace, content: () => AsyncIterable<Buffer> | Promise<AsyncIterable<Buffer>>): Promise<void>;
  /** The outputs of the step. */
  outputs(): { count: string; size: string; paths: FilePlace[] };
}

/** Creates the folders of an archive, and what writes its files. */
export async function beginUnpacking(
  { folders }: UnpackingPlan,
  { files, signal }: Pick<TaskContext, 'files' | 'signal'>,
  overwrite: boolean,
): Promise<Unpacker> {
  for (const folder of folders) {
    signal.throwIfAborted();
    await files.createFolder(folder);
  }
  const paths: FilePlace[] = [];
  let size = 0;
  return {
    write: async (place, content) => {
      signal.throwIfAborted();
      const written =
        (await files.written(place)) ??
        (await files.write(place, await content(), 'application/octet-stream', { overwrite }));
      paths.push(place);
      size += Number(written.size);
    },
    outputs: () => ({ count: String(paths.length), size: String(size), paths }),
  };
}

/** @throws Error if the bytes are other than announced, before the last one is passed on */
export async function* measured(
  content: AsyncIterable<unknown>,
  signal: AbortSignal,
  check: (chunk: Buffer) => void,
): AsyncGenerator<Buffer> {
  for await (const chunk of content) {
    signal.throwIfAborted();
    if (!(chunk instanceof Uint8Array)) continue;
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    check(bytes);
    yield bytes;
  }
}
