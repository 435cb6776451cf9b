import { pipeline, Readable } from 'node:stream';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { untarSpecification } from '@waybill/contracts/tasks/archive-specifications';
import { extract } from 'tar-stream';
import type { OpenedFile } from '../../domain/workflows/task.ts';
import { bytesOf } from '../bytes-of.ts';
import { defineTask } from '../define-task.ts';
import { gunzipped } from './gunzipped.ts';
import { beginUnpacking, measured } from './unpack-entries.ts';
import { type ArchiveEntry, archiveFault, type UnpackingLimits, UnpackingPlanner } from './unpacking-plan.ts';

/** Unpacks a tar archive. What an earlier attempt has written is passed over. */
export const untarTask = defineTask({
  ...untarSpecification,
  run: async ({ source, folder, ifExists, compression, ...limits }, { files, signal, log }) => {
    await using file = await files.open(source);
    if (file.size === 0) throw archiveFault('it is empty');
    const isCompressed = compression === 'gzip' || (compression === 'auto' && (await beginsWithGzip(file)));
    const entries = () => entriesOf(isCompressed ? gunzipped(file, limits, signal) : bytesOf(file, signal));
    const plan = await check(entries(), new UnpackingPlanner(folder, file.size, limits), limits, signal);
    const unpacker = await beginUnpacking(plan, { files, signal }, ifExists === 'replace');
    let number = 0;
    for await (const { content } of entries()) {
      const place = plan.files.get(number);
      number += 1;
      if (place !== undefined) await unpacker.write(place, () => measured(content, signal, () => {}));
      content.resume();
    }
    log(`Unpacked ${plan.files.size} files of ${source} (${file.size} bytes) into ${folder}`);
    return unpacker.outputs();
  },
});

/** An entry with its content, which is to be read before the next entry. */
interface TarEntry extends ArchiveEntry {
  readonly content: AsyncIterable<unknown> & { resume(): unknown };
}

async function check(
  entries: AsyncIterable<TarEntry>,
  planner: UnpackingPlanner,
  { entriesAtMost }: UnpackingLimits,
  signal: AbortSignal,
) {
  let count = 0;
  for await (const { content, ...entry } of entries) {
    signal.throwIfAborted();
    count += 1;
    if (count > entriesAtMost) throw archiveFault(`it has more than ${entriesAtMost} entries`);
    planner.add(entry);
    content.resume();
  }
  return planner.plan();
}

const kinds: Readonly<Record<string, ArchiveEntry['kind']>> = {
  file: 'file',
  'contiguous-file': 'file',
  directory: 'folder',
};

/** @throws CodedError `job_step_failed` if it is no tar archive, if it is cut off, or has links or devices */
async function* entriesOf(bytes: AsyncIterable<Buffer>): AsyncGenerator<TarEntry> {
  const tar = extract();
  let inputFault: Error | undefined;
  const input = Readable.from(watched(bytes, (error) => (inputFault = error)));
  pipeline(input, tar, () => {});
  try {
    for await (const content of tar) {
      const { name, type, size } = content.header;
      const kind = kinds[type ?? 'file'];
      if (kind === undefined) throw archiveFault(`${JSON.stringify(name.slice(0, 100))} is a link or a device`);
      yield { name, kind, size: size ?? 0, content };
    }
  } catch (error) {
    if (inputFault !== undefined) throw inputFault;
    if (isCodedError(error) || !(error instanceof Error) || error.name !== 'Error') throw error;
    throw archiveFault(`it is damaged, or no tar archive: ${error.message}`, error);
  } finally {
    input.destroy();
    tar.destroy();
  }
}

/** Errors of the input, told apart from those of the archive. */
async function* watched(bytes: AsyncIterable<Buffer>, onError: (error: Error) => void): AsyncGenerator<Buffer> {
  try {
    yield* bytes;
  } catch (error) {
    if (error instanceof Error) onError(error);
    throw error;
  }
}

async function beginsWithGzip(file: OpenedFile): Promise<boolean> {
  for await (const chunk of file.content({ start: 0, end: Math.min(2, file.size) })) {
    if (chunk instanceof Buffer) return chunk[0] === 0x1f && chunk[1] === 0x8b;
  }
  return false;
}
