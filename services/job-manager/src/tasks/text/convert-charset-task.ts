import { CodedError } from '@waybill/contracts/errors/coded-error';
import { convertCharsetSpecification } from '@waybill/contracts/tasks/text-specifications';
import { bytesOf } from '../bytes-of.ts';
import { defineTask } from '../define-task.ts';

/** Converts a text to UTF-8. Of a text with wrong bytes nothing is written. */
export const convertCharsetTask = defineTask({
  ...convertCharsetSpecification,
  run: async ({ source, target, from, invalid, ifExists }, { files, signal, log }) => {
    const earlier = await files.written(target);
    if (earlier) return { ...earlier };
    await using file = await files.open(source);
    const decoder = new TextDecoder(from, { fatal: invalid === 'fail' });
    const content = asUtf8(bytesOf(file, signal), decoder, source);
    const written = await files.write(target, content, 'text/plain; charset=utf-8', {
      overwrite: ifExists === 'replace',
    });
    log(`Converted ${source} from ${decoder.encoding} to UTF-8`);
    return { ...written };
  },
});

async function* asUtf8(
  content: AsyncIterable<Buffer>,
  decoder: InstanceType<typeof TextDecoder>,
  source: string,
): AsyncGenerator<Buffer> {
  let read = 0;
  const decode = (chunk?: Buffer): Buffer => {
    try {
      return Buffer.from(chunk ? decoder.decode(chunk, { stream: true }) : decoder.decode());
    } catch (cause) {
      const detail = `source: ${source} is not ${decoder.encoding}: it has other bytes before byte ${read}`;
      throw new CodedError('validation_failed', { detail, cause });
    }
  };
  for await (const chunk of content) {
    read += chunk.length;
    const converted = decode(chunk);
    if (converted.length > 0) yield converted;
  }
  const last = decode();
  if (last.length > 0) yield last;
}
