import { z } from 'zod';
import { defineTask } from '../define-task.ts';
import { pathParameter } from '../path-parameter.ts';

/** Writes a text. */
export const writeFileTask = defineTask({
  summary: 'Writes a text, as UTF-8, into a file. A file at the path is replaced.',
  parameters: z.strictObject({
    path: pathParameter.describe('File to write'),
    text: z.string().describe('What it holds'),
    mediaType: z.string().min(1).default('text/plain; charset=utf-8').describe('Media type of the file'),
  }),
  outputs: {
    path: 'Path of the file',
    fileset: 'Its number',
    size: 'Its bytes',
    sha256: 'Its SHA-256, hexadecimal',
  },
  run: async ({ path, text, mediaType }, { files, log }) => {
    const earlier = await files.written(path);
    const result = earlier ?? (await files.write(path, asBytes(text), mediaType));
    log(earlier ? `An earlier attempt has written ${path}` : `Wrote ${result.size} bytes into ${result.path}`);
    return { ...result };
  },
});

// A stream of one chunk: `Readable.from` would split the text into characters.
async function* asBytes(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}
