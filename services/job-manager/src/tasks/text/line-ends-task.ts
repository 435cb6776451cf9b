import { lineEndsSpecification } from '@waybill/contracts/tasks/text-specifications';
import { bytesOf } from '../bytes-of.ts';
import { defineTask } from '../define-task.ts';

const [lf, cr] = [0x0a, 0x0d];

/** Gives lines another end. */
export const lineEndsTask = defineTask({
  ...lineEndsSpecification,
  run: async ({ source, target, to, ifExists }, { files, signal, log }) => {
    await using file = await files.open(source);
    const counted = { lines: 0 };
    const content = withLineEnds(bytesOf(file, signal), Buffer.from(to === 'lf' ? '\n' : '\r\n'), counted);
    const overwrite = ifExists === 'replace';
    const earlier = await files.written(target);
    const written = earlier ?? (await files.write(target, content, file.mediaType, { overwrite }));
    // The lines of a file that an earlier attempt has written are counted again.
    if (earlier) for await (const _passed of content);
    log(`Gave ${counted.lines} lines of ${source} the end ${to}`);
    return { ...written, lines: String(counted.lines) };
  },
});

async function* withLineEnds(
  content: AsyncIterable<Buffer>,
  lineEnd: Buffer,
  counted: { lines: number },
): AsyncGenerator<Buffer> {
  let afterCr = false;
  for await (const chunk of content) {
    const pieces: Buffer[] = [];
    let begin = 0;
    for (let at = 0; at < chunk.length; at += 1) {
      const byte = chunk[at];
      if (byte === lf && afterCr) begin = at + 1;
      else if (byte === lf || byte === cr) {
        pieces.push(chunk.subarray(begin, at), lineEnd);
        counted.lines += 1;
        begin = at + 1;
      }
      afterCr = byte === cr;
    }
    pieces.push(chunk.subarray(begin));
    const converted = Buffer.concat(pieces);
    if (converted.length > 0) yield converted;
  }
}
