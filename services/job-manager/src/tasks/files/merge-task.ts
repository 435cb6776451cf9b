import { mergeSpecification } from '@waybill/contracts/tasks/file-specifications';
import type { z } from 'zod';
import type { TaskContext } from '../../domain/workflows/task.ts';
import { bytesOf } from '../bytes-of.ts';
import { defineTask } from '../define-task.ts';
import { LineSource } from './line-source.ts';

type Parameters = z.output<typeof mergeSpecification.parameters>;

const lineEnd = 0x0a;

/** Writes files one after the other. One of them is open at a time. */
export const mergeTask = defineTask({
  ...mergeSpecification,
  run: async (parameters, context) => {
    const { sources, target, ifExists } = parameters;
    const { files, log } = context;
    const written =
      (await files.written(target)) ??
      (await files.write(target, contentOf(parameters, context), 'application/octet-stream', {
        overwrite: ifExists === 'replace',
      }));
    log(`Merged ${sources.length} files into ${target} (${written.size} bytes)`);
    return { ...written, count: String(sources.length) };
  },
});

async function* contentOf(
  { sources, skipFirstLines, endLines }: Parameters,
  { files, signal }: TaskContext,
): AsyncGenerator<Buffer> {
  for (const [index, source] of sources.entries()) {
    await using file = await files.open(source);
    const lines = new LineSource(bytesOf(file, signal));
    if (index > 0) for await (const _passed of lines.take(skipFirstLines));
    let last = lineEnd;
    for await (const chunk of lines.remainder()) {
      last = chunk.at(-1) ?? last;
      yield chunk;
    }
    if (endLines && last !== lineEnd) yield Buffer.of(lineEnd);
  }
}
