import { z } from 'zod';

/** What the main thread tells a computing thread: the parameters of a computation, its bytes, their end. */
export const threadOrderSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('begin'), parameters: z.record(z.string(), z.string()) }),
  z.object({ kind: z.literal('chunk'), buffer: z.instanceof(ArrayBuffer), length: z.int().min(0) }),
  z.object({ kind: z.literal('end') }),
]);

/** What the main thread tells a computing thread. */
export type ThreadOrder = z.infer<typeof threadOrderSchema>;

/** What a computing thread answers: a buffer whose bytes it has worked through, the result, or why there is none. */
export const threadAnswerSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('done'), buffer: z.instanceof(ArrayBuffer) }),
  z.object({ kind: z.literal('result'), result: z.record(z.string(), z.string()) }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
]);

/** What a computing thread answers. */
export type ThreadAnswer = z.infer<typeof threadAnswerSchema>;
