import { z } from 'zod';

/** The headers of a request for server-sent events (WHATWG HTML, section 9.2): a client that connects again sends the last id. */
export const eventStreamHeaders = z.object({
  'last-event-id': z
    .string()
    .regex(/^\d{1,15}$/u, 'is not the id of an event')
    .optional()
    .describe('The id of the last event that was received')
    .meta({ example: '4711' }),
});

/** The responses of an endpoint that streams events. */
export const eventStreamResponses = {
  200: { description: 'The events', body: { kind: 'stream', mediaType: 'text/event-stream' } },
} as const;
