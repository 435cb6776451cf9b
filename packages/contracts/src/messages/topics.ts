import type { z } from 'zod';
import { auditEventSchema } from './audit-event.ts';
import { fileEventSchema } from './file-event.ts';

/** Every kind of message between services, and the shape of its payload. Each topic has exactly one consuming service. */
export const topics = {
  /** Consumed by audit. */
  'audit-event': auditEventSchema,
  /** Consumed by job-manager, which starts the actions that wait for it. */
  'file-event': fileEventSchema,
} as const satisfies Record<string, z.ZodType>;

/** The name of a kind of message. */
export type Topic = keyof typeof topics;

/** The payload of the messages of a topic. */
export type TopicPayload<T extends Topic> = z.infer<(typeof topics)[T]>;
