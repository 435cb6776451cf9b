import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { tarSpecification } from '@waybill/contracts/tasks/archive-specifications';
import { pack, type Pack } from 'tar-stream';
import type { TaskContext } from '../../domain/workflows/task.ts';
import { bytesOf } from '../bytes-of.ts';
import { defineTask } from '../define-task.ts';
import { namePacked, type PackedSource } from './packed-names.ts';
import { measured } from './unpack-entries.ts';

/** Packs files into a tar archive; one of them is open at a time. */
export const tarTask = defineTask({
  ...tarSpecification,
  run: async ({ sources, target, base, ifExists, compression }, { files, signal, log }) => {
    const packed = namePacked(sources, base);
    const overwrite = ifExists === 'replace';
    const write = (content: AsyncIterable<Buffer>, type: string) => files.write(target, content, type, { overwrite });
    const content = tarred(packed, { files, signal });
    const written =
      (await files.written(target)) ??
      (compression === 'none'
        ? await write(content, 'application/x-tar')
        : await pipeline(content, createGzip(), (zipped: AsyncIterable<Buffer>) => write(zipped, 'application/gzip'), {
            signal,
          }));
    log(`Packed ${packed.length} files into ${target} (${written.size} bytes)`);
    return { ...written, count: String(packed.length) };
  },
});

async function* tarred(
  sources: readonly PackedSource[],
  { files, signal }: Pick<TaskContext, 'files' | 'signal'>,
): AsyncGenerator<Buffer> {
  const tar = pack();
  const adding = addFiles(tar, sources, { files, signal }).catch((error: unknown) => {
    tar.destroy(error instanceof Error ? error : new Error('the archive cannot be made', { cause: error }));
  });
  try {
    yield* measured(tar, signal, () => {});
    await adding;
  } finally {
    tar.destroy();
  }
}

async function addFiles(
  tar: Pack,
  sources: readonly PackedSource[],
  { files, signal }: Pick<TaskContext, 'files' | 'signal'>,
): Promise<void> {
  for (const { place, name } of sources) {
    await using file = await files.open(place);
    const entry = tar.entry({ name, size: file.size, mtime: file.modifiedAt, mode: 0o644 });
    await pipeline(bytesOf(file, signal), entry);
  }
  tar.finalize();
}
