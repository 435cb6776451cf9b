import { PassThrough } from 'node:stream';
import type { FilePlace } from '@waybill/contracts/tasks/file-place';
import type { ComputationOrder } from '../domain/workflows/computation.ts';
import type { TaskContext, WrittenFile } from '../domain/workflows/task.ts';

type Order = Omit<ComputationOrder, 'output'>;

/** What a transformation found, and the file that it made, if there is one. */
export interface TransformedFile {
  readonly written: WrittenFile | undefined;
  readonly result: Readonly<Record<string, string>>;
}

/**
 * Writes what a transformation in a worker thread makes, as it makes it. The file appears when the transformation has succeeded:
 * of one that fails, at whatever byte, nothing is ever seen. Without a target, the output is dropped.
 */
export async function writeTransformed(
  order: Order,
  { target, mediaType, overwrite }: { target: FilePlace | undefined; mediaType: string; overwrite?: boolean },
  {
    files,
    compute,
    signal,
  }: Pick<TaskContext, 'compute' | 'signal'> & { readonly files: Pick<TaskContext['files'], 'write'> },
): Promise<TransformedFile> {
  const output = new PassThrough({ highWaterMark: 256 * 1024 });
  // It may fail before anything reads it: then the reader finds the error.
  output.on('error', () => {});
  const given = new AbortController();
  const computing = compute({ ...order, output }, AbortSignal.any([signal, given.signal]));
  const ended = computing.then(
    () => output.end(),
    (error: unknown) => output.destroy(error instanceof Error ? error : new Error(String(error))),
  );
  try {
    const content: AsyncIterable<Buffer> = output;
    const written =
      target === undefined ? await dropped(content) : await files.write(target, content, mediaType, { overwrite });
    return { written, result: await computing };
  } finally {
    // If writing failed, the thread would wait for ever.
    given.abort();
    await ended;
    output.destroy();
  }
}

async function dropped(content: AsyncIterable<Buffer>): Promise<undefined> {
  for await (const chunk of content) chunk.fill(0);
}
