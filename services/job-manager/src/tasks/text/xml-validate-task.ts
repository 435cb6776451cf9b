import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { type FilePlace, nameOfPlace } from '@waybill/contracts/tasks/file-place';
import { xmlValidateSpecification } from '@waybill/contracts/tasks/xml-specifications';
import { z } from 'zod';
import type { JobFiles } from '../../domain/workflows/task.ts';
import { defineTask } from '../define-task.ts';
import { readSmall } from '../files/read-small.ts';
import { writeTransformed } from '../write-transformed.ts';
import { type SchemaFile, xmlOrder } from './xml-order.ts';

/** Bytes of a schema file, and how many files a schema has. */
const [schemaBytesAtMost, schemaFilesAtMost] = [2_097_152, 50];

/** Errors in the message of a step that fails. */
const namedAtMost = 3;

const errorsSchema = z.array(z.string());

/** Checks an XML file in a thread of its own. A repeated step checks it again. */
export const xmlValidateTask = defineTask({
  ...xmlValidateSpecification,
  run: async (parameters, context) => {
    const { source, schema, includes = [], doctype, secondsAtMost, report, onErrors } = parameters;
    const { files, log } = context;
    const earlier = report === undefined ? undefined : await files.written(report);
    const order = {
      schema: schema === undefined ? undefined : await readSchema(files, schema),
      includes: await readIncludes(files, includes),
      allowsDoctype: doctype === 'allow',
      bytesAtMost: parameters.bytesAtMost,
      errorsAtMost: parameters.errorsAtMost,
    };
    await using file = await files.open(source);
    const place = { target: earlier ? undefined : report, mediaType: 'application/x-ndjson' };
    const checking = writeTransformed(xmlOrder(order, file.content(), secondsAtMost), place, context);
    const { written = earlier, result } = await checking.catch((error: unknown) => {
      if (!isCodedError(error)) throw error;
      throw new CodedError(error.code, { detail: `${source}: ${error.message}`, cause: error });
    });
    const { root = '', namespace = '', errorCount = '', errors: text = '[]' } = result;
    const errors = errorsSchema.parse(JSON.parse(text));
    const counted = `${errorCount} ${errorCount === '1' ? 'error' : 'errors'}`;
    log(`Checked ${source} (${file.size} bytes): ${counted}`);
    if (errors.length > 0 && onErrors === 'fail') {
      const detail = `${source} has ${counted}: ${errors.slice(0, namedAtMost).join('; ')}`;
      throw new CodedError('validation_failed', { detail });
    }
    return { ...written, valid: errors.length === 0, root, namespace, errorCount, errors };
  },
});

async function readIncludes(files: JobFiles, places: readonly FilePlace[]): Promise<SchemaFile[]> {
  if (places.length > schemaFilesAtMost) {
    throw new CodedError('validation_failed', { detail: `includes: at most ${schemaFilesAtMost} files` });
  }
  const read: SchemaFile[] = [];
  for (const place of places) read.push(await readSchema(files, place));
  return read;
}

async function readSchema(files: JobFiles, place: FilePlace): Promise<SchemaFile> {
  const content = (await readSmall(files, place, schemaBytesAtMost)).toString('base64');
  return { name: nameOfPlace(place), content };
}
