import { PassThrough, type Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { zipSpecification } from '@waybill/contracts/tasks/archive-specifications';
import { ZipFile } from 'yazl';
import type { OpenedFile, TaskContext } from '../../domain/workflows/task.ts';
import { defineTask } from '../define-task.ts';
import { namePacked, type PackedSource } from './packed-names.ts';
import { measured } from './unpack-entries.ts';

/** Packs files into a ZIP archive; one of them is open at a time. */
export const zipTask = defineTask({
  ...zipSpecification,
  run: async ({ sources, target, base, ifExists, compress }, { files, signal, log }) => {
    const packed = namePacked(sources, base);
    const overwrite = ifExists === 'replace';
    const written =
      (await files.written(target)) ??
      (await files.write(target, zipped(packed, compress, { files, signal }), 'application/zip', { overwrite }));
    log(`Packed ${packed.length} files into ${target} (${written.size} bytes)`);
    return { ...written, count: String(packed.length) };
  },
});

async function* zipped(
  sources: readonly PackedSource[],
  compress: boolean,
  { files, signal }: Pick<TaskContext, 'files' | 'signal'>,
): AsyncGenerator<Buffer> {
  const zip = new ZipFile();
  const output = new PassThrough();
  const fail = (error: unknown): void => {
    output.destroy(error instanceof Error ? error : new Error('the archive cannot be made', { cause: error }));
  };
  zip.on('error', fail);
  pipeline(zip.outputStream, output).catch(fail);
  addFiles({ zip, sources, compress, open: (place) => files.open(place), output }).catch(fail);
  try {
    yield* measured(output, signal, () => {});
  } finally {
    output.destroy();
  }
}

interface Packing {
  readonly zip: ZipFile;
  readonly sources: readonly PackedSource[];
  readonly compress: boolean;
  readonly open: (place: PackedSource['place']) => Promise<OpenedFile>;
  readonly output: Readable;
}

async function addFiles({ zip, sources, compress, open, output }: Packing): Promise<void> {
  for (const { place, name } of sources) {
    if (output.destroyed) return;
    await using file = await open(place);
    const content = file.content();
    const ended = new Promise<void>((resolve, reject) => {
      content.once('end', resolve);
      content.once('error', reject);
      output.once('close', resolve);
    });
    zip.addReadStream(content, name, { size: file.size, mtime: file.modifiedAt, mode: 0o100644, compress });
    await ended;
  }
  zip.end();
}
