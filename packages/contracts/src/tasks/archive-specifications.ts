import { z } from 'zod';
import { ifExistsParameter, pathListParameter } from './file-parameters.ts';
import { decimalOutput, pathFor, type TaskSpecification, writtenFileOutputs } from './task-specification.ts';

const bytesAtMost = z.coerce
  .number()
  .int()
  .min(1)
  .max(1_099_511_627_776)
  .default(10_737_418_240)
  .describe('Unpacked bytes, all files together; more end the step. 10 GiB if it is absent');

const ratioAtMost = z.coerce
  .number()
  .min(1)
  .max(1_000_000)
  .default(200)
  .describe('How many times larger than the archive its content may be; from 16 MiB of content on');

const unpackingParameters = z.strictObject({
  source: pathFor('download').describe('Archive to read'),
  folder: pathFor('upload').describe('Folder to write to; folders of the archive are created in it'),
  ifExists: ifExistsParameter,
  entriesAtMost: z.coerce.number().int().min(1).max(10_000).default(1_000).describe('Files and folders of the archive'),
  bytesAtMost,
  ratioAtMost,
  depthAtMost: z.coerce.number().int().min(1).max(100).default(16).describe('Names of a path in the archive'),
});

const unpackedOutputs = z.object({
  count: decimalOutput.describe('How many files were written'),
  size: decimalOutput.describe('Their bytes'),
  paths: z.array(z.string()).describe('Their paths, a list'),
});

const packingParameters = z.strictObject({
  sources: pathListParameter.describe('Files to pack: a list, or text with a JSON list'),
  target: pathFor('upload').describe('Archive to write'),
  base: pathFor()
    .optional()
    .describe(
      'Folder above all sources: names in the archive are paths below it. If it is absent, the names of the files alone',
    ),
  ifExists: ifExistsParameter,
});

const packedOutputs = writtenFileOutputs.extend({ count: decimalOutput.describe('How many files were packed') });

/** `gunzip`. */
export const gunzipSpecification = {
  summary:
    'Decompresses a gzip file (RFC 1952), of one or more members. Its checksum is verified before the file appears.',
  parameters: z.strictObject({
    source: pathFor('download').describe('File to decompress'),
    target: pathFor('upload').describe('File to write'),
    ifExists: ifExistsParameter,
    bytesAtMost,
    ratioAtMost,
  }),
  outputs: writtenFileOutputs,
} as const satisfies TaskSpecification;

/** `unzip`. */
export const unzipSpecification = {
  summary:
    'Unpacks a ZIP archive. All its names and sizes are checked before the first file is written: paths out of the folder, links, devices, encrypted and overlapping entries and names that occur twice are refused.',
  parameters: unpackingParameters,
  outputs: unpackedOutputs,
} as const satisfies TaskSpecification;

/** `zip`. */
export const zipSpecification = {
  summary: 'Packs files into a ZIP archive.',
  parameters: packingParameters.extend({
    compress: z.boolean().default(true).describe('False stores files as they are'),
  }),
  outputs: packedOutputs,
} as const satisfies TaskSpecification;

const tarCompression = z.enum(['none', 'gzip']);

/** `tar`. */
export const tarSpecification = {
  summary: 'Packs files into a tar archive (POSIX pax), also compressed with gzip.',
  parameters: packingParameters.extend({
    compression: tarCompression.default('none').describe('`none` or `gzip`'),
  }),
  outputs: packedOutputs,
} as const satisfies TaskSpecification;

/** `untar`. */
export const untarSpecification = {
  summary:
    'Unpacks a tar archive, also one that is compressed with gzip. It is read twice: all its names and sizes are checked before the first file is written, as with `unzip`.',
  parameters: unpackingParameters.extend({
    compression: tarCompression
      .or(z.literal('auto'))
      .default('auto')
      .describe('`none`, `gzip`, or `auto`: by the first bytes of the archive'),
  }),
  outputs: unpackedOutputs,
} as const satisfies TaskSpecification;

/** The specifications of the tasks for archives. */
export const archiveSpecifications = {
  gunzip: gunzipSpecification,
  unzip: unzipSpecification,
  zip: zipSpecification,
  tar: tarSpecification,
  untar: untarSpecification,
} as const satisfies Record<string, TaskSpecification>;
