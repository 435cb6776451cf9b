import { errorCodes, type ErrorCode } from '@waybill/contracts/errors/error-codes';
import { z } from 'zod';

const errorCodeSchema = z.enum(Object.keys(errorCodes) as [ErrorCode, ...ErrorCode[]]);

/** What the main thread tells a computing thread: the parameters of a computation, its bytes, their end, and that an output was taken. */
export const threadOrderSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begin'), parameters: z.record(z.string(), z.string()) }),
  z.object({ kind: z.literal('chunk'), buffer: z.instanceof(ArrayBuffer), length: z.int().min(0) }),
  z.object({ kind: z.literal('end') }),
  z.object({ kind: z.literal('taken') }),
]);

/** What the main thread tells a computing thread. */
export type ThreadOrder = z.infer<typeof threadOrderSchema>;

/** What a computing thread answers: a buffer whose bytes it has worked through, bytes that it made, the result, or why there is none. */
export const threadAnswerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), buffer: z.instanceof(ArrayBuffer) }),
  z.object({ kind: z.literal('output'), bytes: z.instanceof(Uint8Array) }),
  z.object({ kind: z.literal('result'), result: z.record(z.string(), z.string()) }),
  z.object({ kind: z.literal('failed'), reason: z.string(), code: errorCodeSchema.optional() }),
]);

/** What a computing thread answers. */
export type ThreadAnswer = z.infer<typeof threadAnswerSchema>;
