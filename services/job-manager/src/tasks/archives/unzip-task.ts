import { crc32 } from 'node:zlib';
import { isCodedError } from '@waybill/contracts/errors/coded-error';
import { unzipSpecification } from '@waybill/contracts/tasks/archive-specifications';
import { type Entry, fromRandomAccessReaderPromise, type ZipFile } from 'yauzl';
import type { OpenedFile } from '../../domain/workflows/task.ts';
import { defineTask } from '../define-task.ts';
import { beginUnpacking, measured } from './unpack-entries.ts';
import { archiveFault, type UnpackingLimits, UnpackingPlanner } from './unpacking-plan.ts';
import { ZipReader } from './zip-reader.ts';

/** Unpacks a ZIP archive. What an earlier attempt has written is passed over. */
export const unzipTask = defineTask({
  ...unzipSpecification,
  run: async ({ source, folder, ifExists, ...limits }, { files, signal, log }) => {
    await using file = await files.open(source);
    try {
      const zip = await openZip(file);
      const planner = new UnpackingPlanner(folder, file.size, limits);
      const entries = await readEntries(zip, planner, limits, signal);
      const plan = planner.plan();
      const unpacker = await beginUnpacking(plan, { files, signal }, ifExists === 'replace');
      for (const [number, place] of plan.files) {
        const entry = entries[number];
        if (entry) await unpacker.write(place, () => contentOf(zip, entry, signal));
      }
      log(`Unpacked ${plan.files.size} files of ${source} (${file.size} bytes) into ${folder}`);
      return unpacker.outputs();
    } catch (error) {
      signal.throwIfAborted();
      throw isYauzlError(error) ? archiveFault(error.message, error) : error;
    }
  },
});

function openZip(file: OpenedFile): Promise<ZipFile> {
  return fromRandomAccessReaderPromise(new ZipReader(file), file.size, {
    lazyEntries: true,
    autoClose: false,
    decodeStrings: true,
    validateEntrySizes: true,
    strictFileNames: true,
  });
}

async function readEntries(
  zip: ZipFile,
  planner: UnpackingPlanner,
  { entriesAtMost }: UnpackingLimits,
  signal: AbortSignal,
): Promise<Entry[]> {
  if (zip.entryCount > entriesAtMost) throw archiveFault(`it has more than ${entriesAtMost} entries`);
  const entries: Entry[] = [];
  for await (const entry of zip.eachEntry()) {
    signal.throwIfAborted();
    checkEntry(entry);
    const kind = entry.fileName.endsWith('/') ? 'folder' : 'file';
    planner.add({ name: entry.fileName, kind, size: entry.uncompressedSize });
    entries.push(entry);
  }
  checkOverlaps(entries);
  return entries;
}

/** The type of a file in the upper half of the attributes: none, a file or a folder. Others are links and devices. */
const fileTypes = new Set([0, 0o100000, 0o040000]);
const compressionMethods = new Set([0, 8]);

function checkEntry(entry: Entry): void {
  const name = JSON.stringify(entry.fileName.slice(0, 100));
  if (entry.isEncrypted()) throw archiveFault(`${name} is encrypted`);
  if (!compressionMethods.has(entry.compressionMethod)) {
    throw archiveFault(`${name} has the unknown compression method ${entry.compressionMethod}`);
  }
  if (!fileTypes.has((entry.externalFileAttributes >>> 16) & 0o170000)) {
    throw archiveFault(`${name} is a link or a device`);
  }
}

/** Entries that share bytes make an archive that is many times larger than it seems. */
function checkOverlaps(entries: readonly Entry[]): void {
  let end = 0;
  const inOrder = entries.toSorted((one, other) => one.relativeOffsetOfLocalHeader - other.relativeOffsetOfLocalHeader);
  for (const { relativeOffsetOfLocalHeader: start, compressedSize, fileNameLength } of inOrder) {
    if (start < end) throw archiveFault('its entries overlap');
    end = start + 30 + fileNameLength + compressedSize;
  }
}

/** @throws CodedError `job_step_failed` if the checksum of the bytes is another one */
async function* contentOf(zip: ZipFile, entry: Entry, signal: AbortSignal): AsyncGenerator<Buffer> {
  let sum = 0;
  const content = await zip.openReadStreamPromise(entry);
  yield* measured(content, signal, (chunk) => (sum = crc32(chunk, sum)));
  if (sum !== entry.crc32) {
    throw archiveFault(`the checksum of ${JSON.stringify(entry.fileName.slice(0, 100))} is wrong`);
  }
}

/** `yauzl` and zlib throw plain errors. */
function isYauzlError(error: unknown): error is Error {
  return error instanceof Error && !isCodedError(error) && error.name === 'Error' && !('severity' in error);
}
