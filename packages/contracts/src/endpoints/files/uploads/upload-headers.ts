import { z } from 'zod';
import { entityTagsSchema } from '../shapes/condition-headers.ts';

/** Headers that make an upload conditional, or safe to repeat. */
export const uploadHeadersSchema = z.object({
  'if-match': entityTagsSchema
    .optional()
    .describe('Only if it replaces a file with one of these entity tags; `*`: any file (RFC 9110 section 13.1.1)')
    .meta({ example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"' }),
  'if-none-match': z
    .literal('*', 'must be *')
    .optional()
    .describe('Only if there is no file of that name (RFC 9110 section 13.1.2)')
    .meta({ example: '*' }),
  'if-unmodified-since': z
    .string()
    .optional()
    .describe(
      'Does not replace a file modified after this date; invalid dates are ignored, and so is the header beside `If-Match`',
    )
    .meta({ example: 'Mon, 02 Mar 2026 08:15:30 GMT' }),
  'idempotency-key': z
    .string()
    .regex(/^[\x21-\x7e]{1,255}$/u, 'must have 1 to 255 visible ASCII characters')
    .optional()
    .describe('Any text that is unique to an upload. A repetition within 24 hours returns the first response')
    .meta({ example: '0190b1f0-5a3e-7c41-9d55-1f0f2b1c9a77' }),
});
