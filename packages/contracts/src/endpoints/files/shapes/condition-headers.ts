import { z } from 'zod';
import { entityTagsSchema } from './entity-tags.ts';

/** Headers that make a change of an existing element conditional (RFC 9110 section 13.1). */
export const conditionHeadersSchema = z.object({
  'if-match': entityTagsSchema
    .optional()
    .describe('Only what has one of these entity tags; `*`: whatever it has')
    .meta({ example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"' }),
  'if-none-match': entityTagsSchema
    .optional()
    .describe('Only what has none of these entity tags')
    .meta({ example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"' }),
  'if-unmodified-since': z
    .string()
    .optional()
    .describe('Only if not modified after this date; invalid dates are ignored, and so is the header beside `If-Match`')
    .meta({ example: 'Mon, 02 Mar 2026 08:15:30 GMT' }),
});
