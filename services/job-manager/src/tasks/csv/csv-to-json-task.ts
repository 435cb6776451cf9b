import { CodedError, isCodedError } from '@waybill/contracts/errors/coded-error';
import { csvToJsonSpecification } from '@waybill/contracts/tasks/csv-specifications';
import { defineTask } from '../define-task.ts';
import { writeTransformed } from '../write-transformed.ts';
import { csvOrder, formatOf } from './csv-order.ts';

/** Converts a CSV file in a worker thread, as it is read. */
export const csvToJsonTask = defineTask({
  ...csvToJsonSpecification,
  run: async (parameters, context) => {
    const { source, target, format: as, columns, otherColumns, ifExists } = parameters;
    const { files, log } = context;
    const earlier = await files.written(target);
    await using file = await files.open(source);
    const order = csvOrder({ do: 'convert', format: formatOf(parameters), columns, otherColumns, as }, file.content());
    // The records of a file that an earlier attempt has written are counted again.
    const place = {
      target: earlier ? undefined : target,
      mediaType: as === 'array' ? 'application/json' : 'application/x-ndjson',
      overwrite: ifExists === 'replace',
    };
    const { written = earlier, result } = await writeTransformed(order, place, context).catch((error: unknown) => {
      if (!isCodedError(error, 'validation_failed')) throw error;
      throw new CodedError('validation_failed', { detail: `${source}: ${error.message}`, cause: error });
    });
    const { rows = '' } = result;
    log(`Converted ${rows} records of ${source} (${file.size} bytes)`);
    return { ...written, rows };
  },
});
