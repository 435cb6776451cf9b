import { CodedError } from '@waybill/contracts/errors/coded-error';
import { csvValidateSpecification } from '@waybill/contracts/tasks/csv-specifications';
import { z } from 'zod';
import { defineTask } from '../define-task.ts';
import { writeTransformed } from '../write-transformed.ts';
import { csvOrder, formatOf } from './csv-order.ts';

const errorsSchema = z.array(z.string());

/** Errors in the message of a step that fails. */
const namedAtMost = 3;

/** Checks a CSV file in a worker thread, as it is read. A repeated step checks it again. */
export const csvValidateTask = defineTask({
  ...csvValidateSpecification,
  run: async (parameters, context) => {
    const { source, columns, otherColumns, errorsAtMost, report, onErrors } = parameters;
    const { files, log } = context;
    const earlier = report === undefined ? undefined : await files.written(report);
    await using file = await files.open(source);
    const format = formatOf(parameters);
    const order = csvOrder({ do: 'validate', format, columns, otherColumns, errorsAtMost }, file.content());
    const place = { target: earlier ? undefined : report, mediaType: 'application/x-ndjson' };
    const { written = earlier, result } = await writeTransformed(order, place, context);
    const { rows = '', errorCount = '', complete, errors: text = '[]' } = result;
    const errors = errorsSchema.parse(JSON.parse(text));
    const counted = `${errorCount} ${errorCount === '1' ? 'error' : 'errors'}`;
    log(`Checked ${rows} records of ${source} (${file.size} bytes): ${counted}`);
    if (errors.length > 0 && onErrors === 'fail') {
      const detail = `${source} has ${counted}: ${errors.slice(0, namedAtMost).join('; ')}`;
      throw new CodedError('validation_failed', { detail });
    }
    return { ...written, valid: errors.length === 0, rows, errorCount, complete: complete === 'true', errors };
  },
});
