import { csvColumnSchema, csvFormatShape, jsonColumnSchema } from '@waybill/contracts/tasks/csv-specifications';
import { z } from 'zod';
import type { ComputationOrder } from '../../domain/workflows/computation.ts';

const csvFormatSchema = z.object(csvFormatShape);

/** How the records of a file are written. */
export type CsvFormat = z.output<typeof csvFormatSchema>;

const orderSchema = z.discriminatedUnion('do', [
  z.object({
    do: z.literal('validate'),
    format: csvFormatSchema,
    columns: z.array(csvColumnSchema).optional(),
    otherColumns: z.enum(['fail', 'allow']),
    errorsAtMost: z.number(),
  }),
  z.object({
    do: z.literal('convert'),
    format: csvFormatSchema,
    columns: z.array(jsonColumnSchema).optional(),
    otherColumns: z.enum(['keep', 'drop', 'fail']),
    as: z.enum(['array', 'ndjson']),
  }),
]);

/** What the thread for CSV is to do. */
export type CsvOrder = z.output<typeof orderSchema>;
/** How it checks a file. */
export type CsvValidation = Extract<CsvOrder, { do: 'validate' }>;
/** How it converts a file. */
export type CsvConversion = Extract<CsvOrder, { do: 'convert' }>;

const program = new URL('csv-transformation.ts', import.meta.url);

/** An order for the thread. */
export function csvOrder(order: CsvOrder, input: ComputationOrder['input']): ComputationOrder {
  return { program, parameters: { order: JSON.stringify(order) }, input };
}

/** The order that a thread gets. */
export function readCsvOrder({ order = '' }: Readonly<Record<string, string>>): CsvOrder {
  return orderSchema.parse(JSON.parse(order));
}

/** The parameters of a task that say how records are written. */
export function formatOf(parameters: CsvFormat): CsvFormat {
  return csvFormatSchema.parse(parameters);
}
