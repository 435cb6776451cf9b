import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { z } from 'zod';
import { defineTask } from '../define-task.ts';
import { pathParameter } from '../path-parameter.ts';

/** Compresses a file. The bytes pass through: memory does not grow with the file, and zlib works off the event loop. */
export const gzipTask = defineTask({
  summary: 'Compresses a file with gzip (RFC 1952). A file at the target is replaced.',
  parameters: z.strictObject({
    source: pathParameter.describe('File to compress'),
    target: pathParameter.describe('File to write'),
  }),
  outputs: {
    path: 'Path of the compressed file',
    fileset: 'Its number',
    size: 'Its bytes',
    sha256: 'Its SHA-256, hexadecimal',
  },
  run: async ({ source, target }, { files, signal, log }) => {
    const written = await files.written(target);
    if (written) {
      log(`An earlier attempt has written ${target}`);
      return { ...written };
    }
    await using file = await files.open(source);
    const result = await pipeline(
      file.content(),
      createGzip(),
      (compressed: AsyncIterable<Buffer>) => files.write(target, compressed, 'application/gzip'),
      { signal },
    );
    log(`Compressed ${source} (${file.size} bytes) into ${result.path} (${result.size} bytes)`);
    return { ...result };
  },
});
