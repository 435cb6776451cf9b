import { z } from 'zod';
import { defineTask } from '../define-task.ts';
import { pathParameter } from '../path-parameter.ts';

const program = new URL('checksum-computation.ts', import.meta.url);

/** Its algorithms. MD5, SHA-1 and CRC-32 detect accidents and no attacks. */
export const checksumAlgorithmSchema = z.enum(['sha256', 'sha512', 'sha1', 'md5', 'crc32']);

/** Computes the checksum of a file in a worker thread. It has no effects: a repeated step computes it again. */
export const checksumTask = defineTask({
  summary: 'Computes the checksum of a file, for later steps. MD5, SHA-1 and CRC-32 detect accidents and no attacks.',
  parameters: z.strictObject({
    source: pathParameter.describe('File to read'),
    algorithm: checksumAlgorithmSchema.default('sha256').describe('`sha256`, `sha512`, `sha1`, `md5` or `crc32`'),
  }),
  outputs: {
    path: 'Path of the file',
    size: 'Its bytes',
    algorithm: 'The algorithm',
    checksum: 'The checksum, hexadecimal',
  },
  run: async ({ source, algorithm }, { files, compute, signal, log }) => {
    await using file = await files.open(source);
    const order = { program, parameters: { algorithm }, input: file.content() };
    const { checksum = '' } = await compute(order, signal);
    log(`Computed the ${algorithm} of ${source} (${file.size} bytes)`);
    return { path: source, size: String(file.size), algorithm, checksum };
  },
});
