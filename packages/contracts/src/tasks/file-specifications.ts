import { z } from 'zod';
import { soundTextSchema } from '../values/sound-text.ts';
import { ifExistsParameter, pathListParameter, plainName } from './file-parameters.ts';
import { decimalOutput, pathFor, type TaskSpecification, writtenFileOutputs } from './task-specification.ts';

/** `copy`. */
export const copySpecification = {
  summary:
    'Copies a file, with its media type and its metadata, within a VFS or into another one. Within one storage class both share their bytes.',
  parameters: z.strictObject({
    source: pathFor('download').describe('File to copy'),
    target: pathFor('upload').describe('Path of the copy'),
    ifExists: ifExistsParameter,
  }),
  outputs: writtenFileOutputs,
} as const satisfies TaskSpecification;

/** `move`. */
export const moveSpecification = {
  summary:
    'Moves a file, or within one VFS a folder. Into another VFS the file is copied and then deleted, unless a newer version has taken its place.',
  parameters: z.strictObject({
    source: pathFor('download', 'delete').describe('File or folder to move'),
    target: pathFor('upload').describe('Its new path'),
    ifExists: ifExistsParameter,
  }),
  outputs: writtenFileOutputs,
} as const satisfies TaskSpecification;

/** `rename`. */
export const renameSpecification = {
  summary: 'Renames a file or a folder. It stays in its folder.',
  parameters: z.strictObject({
    path: pathFor('download', 'delete', 'upload').describe('File or folder to rename'),
    name: plainName.describe('Its new name, without a slash'),
    ifExists: ifExistsParameter,
  }),
  outputs: writtenFileOutputs,
} as const satisfies TaskSpecification;

/** `delete`. */
export const deleteSpecification = {
  summary: 'Deletes a file, or an empty folder; with `recursive` a folder with everything in it.',
  parameters: z.strictObject({
    path: pathFor('delete').describe('File or folder to delete'),
    recursive: z.boolean().default(false).describe('Whether a folder is deleted with its content'),
    ifMissing: z
      .enum(['fail', 'ignore'])
      .default('fail')
      .describe('`fail` or `ignore`: what to do if there is nothing'),
  }),
  outputs: z.object({
    path: z.string().describe('The path'),
    deleted: z.boolean().describe('False if there was nothing'),
  }),
} as const satisfies TaskSpecification;

/** `make-folder`. */
export const makeFolderSpecification = {
  summary: 'Creates a folder. An existing folder is left as it is.',
  parameters: z.strictObject({
    path: pathFor('upload').describe('Folder to create'),
    parents: z.boolean().default(false).describe('Whether missing folders above it are created too'),
  }),
  outputs: z.object({
    path: z.string().describe('The path'),
    created: z.boolean().describe('False if the folder existed'),
  }),
} as const satisfies TaskSpecification;

const seconds = z.coerce.number().int().min(0).max(10_000_000_000);
const bytes = z.coerce.number().int().min(0);

/** `list`. */
export const listSpecification = {
  summary: 'Lists the files of a folder that match a pattern, an age and a size, in the order of their names.',
  parameters: z.strictObject({
    folder: pathFor('list').describe('Folder to list; its subfolders are not searched'),
    pattern: z.string().min(1).max(255).default('*').describe('`*` matches any characters and is the only wildcard'),
    kind: z.enum(['files', 'folders', 'all']).default('files').describe('`files`, `folders` or `all`'),
    minAgeSeconds: seconds.default(0).describe('Newer ones are left out, by their time of modification'),
    maxAgeSeconds: seconds.optional().describe('Older ones are left out'),
    minSize: bytes.default(0).describe('Smaller ones are left out, in bytes'),
    maxSize: bytes.optional().describe('Larger ones are left out, in bytes'),
    limit: z.coerce.number().int().min(1).max(5_000).default(1_000).describe('At most so many are listed'),
  }),
  outputs: z.object({
    count: decimalOutput.describe('How many are listed'),
    size: decimalOutput.describe('Their bytes'),
    files: z
      .array(
        z.object({ path: z.string(), name: z.string(), kind: z.string(), size: z.string(), modifiedAt: z.string() }),
      )
      .describe('A list of objects: `path`, `name`, `kind`, `size` in bytes, `modifiedAt`'),
    paths: z.array(z.string()).describe('Their paths, a list'),
    complete: z.boolean().describe('False if there are more than `limit`'),
  }),
} as const satisfies TaskSpecification;

/** `exists`. */
export const existsSpecification = {
  summary: 'Looks for a file or a folder, and ends at once.',
  parameters: z.strictObject({
    path: pathFor('list').describe('Path to look at'),
  }),
  outputs: z.object({
    exists: z.boolean().describe('Whether there is something'),
    kind: z.string().describe('`file`, `folder`, or empty'),
    size: decimalOutput.describe('Its bytes; 0 for a folder'),
    modifiedAt: z.string().describe('When it was changed; empty if there is nothing'),
  }),
} as const satisfies TaskSpecification;

/** `deliver`. */
export const deliverSpecification = {
  summary:
    'Hands a file over to a partner: it is copied into a folder, usually of another VFS, where it starts the actions that a file of a partner starts, those of `IncomingTransfer` included.',
  parameters: z.strictObject({
    source: pathFor('download').describe('File to deliver'),
    folder: pathFor('upload').describe('Folder of the receiver, such as `globex-files:/inbox`'),
    name: plainName.optional().describe('Name of the file there; that of the source if it is absent'),
    ifExists: ifExistsParameter,
    receipt: pathFor('upload')
      .optional()
      .describe('File to write a receipt to, as JSON: what was delivered where and when, and its SHA-256'),
  }),
  outputs: writtenFileOutputs.extend({ receipt: z.string().describe('The receipt, as JSON') }),
} as const satisfies TaskSpecification;

/** `set-metadata`. */
export const setMetadataSpecification = {
  summary: 'Adds metadata to a file, or replaces the values of existing keys.',
  parameters: z.strictObject({
    path: pathFor('upload').describe('The file'),
    metadata: z
      .record(soundTextSchema.min(1).max(255), soundTextSchema.max(2_048))
      .describe('Texts by their keys: own keys, and writable keys of the system with their prefix'),
  }),
  outputs: writtenFileOutputs,
} as const satisfies TaskSpecification;

/** `merge`. */
export const mergeSpecification = {
  summary: 'Writes files one after the other into one file.',
  parameters: z.strictObject({
    sources: pathListParameter.describe('Files to read, in this order: a list, or text with a JSON list'),
    target: pathFor('upload').describe('File to write'),
    skipFirstLines: z.coerce
      .number()
      .int()
      .min(0)
      .max(1_000)
      .default(0)
      .describe('Lines to leave out at the beginning of every file but the first, such as a header'),
    endLines: z.boolean().default(false).describe('Whether a line end is added to a file whose last line has none'),
    ifExists: ifExistsParameter,
  }),
  outputs: writtenFileOutputs.extend({ count: decimalOutput.describe('How many files were read') }),
} as const satisfies TaskSpecification;

/** `split-lines`. */
export const splitLinesSpecification = {
  summary:
    'Divides a text file after every so many lines. Bytes are not changed: any charset with one byte for a line end will do.',
  parameters: z.strictObject({
    source: pathFor('download').describe('File to read'),
    folder: pathFor('upload').describe('Folder to write to'),
    linesPerFile: z.coerce.number().int().min(1).max(1_000_000_000).describe('Lines of each file'),
    headerLines: z.coerce
      .number()
      .int()
      .min(0)
      .max(1_000)
      .default(0)
      .describe('So many first lines are repeated at the beginning of every file, and not counted; at most 1 MiB'),
    name: plainName
      .optional()
      .describe('Name of the files: `#` stands for their numbers. `a.csv` becomes `a-#.csv` if it is absent'),
    filesAtMost: z.coerce.number().int().min(1).max(5_000).default(1_000).describe('More files end the step'),
  }),
  outputs: z.object({
    count: decimalOutput.describe('How many files were written'),
    paths: z.array(z.string()).describe('Their paths, a list'),
  }),
} as const satisfies TaskSpecification;

/** `read-text`. */
export const readTextSpecification = {
  summary: 'Reads a small text file into an output.',
  parameters: z.strictObject({
    source: pathFor('download').describe('File to read'),
    charset: z.enum(['utf-8', 'utf-16le', 'latin1']).default('utf-8').describe('`utf-8`, `utf-16le` or `latin1`'),
    maxBytes: z.coerce.number().int().min(1).max(262_144).default(65_536).describe('A larger file ends the step'),
  }),
  outputs: z.object({
    text: z.string().describe('The text, without a byte order mark'),
    size: decimalOutput.describe('Its bytes'),
  }),
} as const satisfies TaskSpecification;

/** The specifications of the tasks that work on files as they are. */
export const fileSpecifications = {
  copy: copySpecification,
  move: moveSpecification,
  rename: renameSpecification,
  delete: deleteSpecification,
  'make-folder': makeFolderSpecification,
  list: listSpecification,
  exists: existsSpecification,
  deliver: deliverSpecification,
  'set-metadata': setMetadataSpecification,
  merge: mergeSpecification,
  'split-lines': splitLinesSpecification,
  'read-text': readTextSpecification,
} as const satisfies Record<string, TaskSpecification>;
