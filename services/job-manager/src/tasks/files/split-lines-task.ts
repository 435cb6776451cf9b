import { CodedError } from '@waybill/contracts/errors/coded-error';
import { joinFilePlace, nameOfPlace } from '@waybill/contracts/tasks/file-place';
import { splitLinesSpecification } from '@waybill/contracts/tasks/file-specifications';
import { bytesOf } from '../bytes-of.ts';
import { defineTask } from '../define-task.ts';
import { LineSource } from './line-source.ts';

/** Bytes of the lines that are repeated in every file. */
const headerBytesAtMost = 1_048_576;

/** Divides a text file. What an earlier attempt has written is passed over. */
export const splitLinesTask = defineTask({
  ...splitLinesSpecification,
  run: async ({ source, folder, linesPerFile, headerLines, name, filesAtMost }, { files, signal, log }) => {
    await using file = await files.open(source);
    const lines = new LineSource(bytesOf(file, signal));
    const header = await readHeader(lines, headerLines);
    const nameAt = numberedName(name ?? defaultName(nameOfPlace(source)), String(filesAtMost).length);
    const paths: string[] = [];
    while (await lines.hasMore()) {
      if (paths.length === filesAtMost) {
        throw new CodedError('job_step_failed', { detail: `${source} makes more than ${filesAtMost} files` });
      }
      const target = joinFilePlace(folder, nameAt(paths.length + 1));
      const content = withHeader(header, lines.take(linesPerFile));
      if (await files.written(target)) for await (const _passed of content);
      else await files.write(target, content, file.mediaType);
      paths.push(target);
    }
    log(`Divided ${source} (${file.size} bytes) into ${paths.length} files`);
    return { count: String(paths.length), paths };
  },
});

async function readHeader(lines: LineSource, count: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of lines.take(count)) {
    size += chunk.length;
    if (size > headerBytesAtMost) {
      throw new CodedError('job_step_failed', { detail: 'the lines of the header have more than 1 MiB' });
    }
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

async function* withHeader(header: Buffer, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (header.length > 0) yield header;
  yield* content;
}

function defaultName(name: string): string {
  const dot = name.lastIndexOf('.');
  return dot > 0 ? `${name.slice(0, dot)}-#${name.slice(dot)}` : `${name}-#`;
}

/** Numbers have as many digits as the last one, so that names sort in their order. */
function numberedName(pattern: string, digits: number): (number: number) => string {
  const template = pattern.includes('#') ? pattern : defaultName(pattern);
  return (number) => template.replaceAll('#', String(number).padStart(digits, '0'));
}
