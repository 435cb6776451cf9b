import { errorCodes, type ErrorCode } from '@waybill/contracts/errors/error-codes';
import type { DryRun } from '@waybill/workflow/run/dry-outcome';
import { z } from 'zod';
import type { DraftOrder, DryRunOrder } from './imagine-run.ts';

const errorCodeSchema = z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]);
const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

/** What comes from this program itself is not examined again. */
const orderSchema = z.custom<DryRunOrder | DraftOrder>(isObject);
const answerSchema = z.union([
  z.object({ name: z.string().optional(), run: z.custom<DryRun>(isObject) }),
  z.object({ missing: z.array(z.string()).readonly() }),
  z.object({
    refusal: z.object({
      code: errorCodeSchema,
      detail: z.string(),
      fields: z.array(
        z.object({
          field: z.string(),
          message: z.string(),
          index: z.number().optional(),
          line: z.number().optional(),
          column: z.number().optional(),
        }),
      ),
    }),
  }),
]);

/** What a dry run has come to: what the workflow would do, what a draft lacks, or why it is refused. */
export type DryRunEnd = z.infer<typeof answerSchema>;

/** An order for another thread, as bytes. */
export function dryRunOrderBytes(order: DryRunOrder | DraftOrder): Buffer {
  return Buffer.from(JSON.stringify(order));
}

/** Reads what `dryRunOrderBytes` has made. */
export function readDryRunOrder(bytes: Buffer): DryRunOrder | DraftOrder {
  return orderSchema.parse(JSON.parse(bytes.toString()));
}

/** The end of a dry run, as another thread gives it. */
export function dryRunAnswer(end: DryRunEnd): Readonly<Record<string, string>> {
  return { end: JSON.stringify(end) };
}

/** Reads what `dryRunAnswer` has made. */
export function readDryRunAnswer({ end = '' }: Readonly<Record<string, string>>): DryRunEnd {
  return answerSchema.parse(JSON.parse(end));
}
