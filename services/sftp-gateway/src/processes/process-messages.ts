import { z } from 'zod';

const questionSchema = z.enum(['readiness', 'metrics']);

/** A supervisor's question to a process: its `Readiness`, or its `MetricsSnapshot`. */
export type Question = z.infer<typeof questionSchema>;

/** What a supervisor sends to a process. */
export const orderSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('stop') }),
  z.object({ kind: z.literal('ask'), id: z.int(), question: questionSchema }),
]);

/** What a process sends to its supervisor. */
export const reportSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready'), sftpPort: z.int() }),
  z.object({ kind: z.literal('failed'), reason: z.string() }),
  z.object({ kind: z.literal('answer'), id: z.int(), answer: z.unknown() }),
]);

/** One message of a supervisor. */
export type Order = z.infer<typeof orderSchema>;

/** One message of a process. */
export type Report = z.infer<typeof reportSchema>;
