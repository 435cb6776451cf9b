import { z } from 'zod';

/** A strong entity tag (this service's SHA-256, or that of another server), or a weak one. */
const entityTag = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;

/** A list of entity tags, or `*` (RFC 9110 sections 13.1.1 and 13.1.2). */
export const entityTagsSchema = z
  .string()
  .regex(new RegExp(`^(?:\\*|${entityTag}(?:\\s*,\\s*${entityTag})*)$`, 'u'), 'must be entity tags, or *');

/** Headers that make a change of an existing element conditional (RFC 9110 section 13.1). */
export const conditionHeadersSchema = z.object({
  'if-match': entityTagsSchema
    .optional()
    .describe('Only if the element has one of these entity tags; `*`: only if it exists')
    .meta({ example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"' }),
  'if-none-match': entityTagsSchema
    .optional()
    .describe('Only if the element has none of these entity tags')
    .meta({ example: '"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"' }),
  'if-unmodified-since': z
    .string()
    .optional()
    .describe('Only if not modified after this date; invalid dates are ignored, and so is the header beside `If-Match`')
    .meta({ example: 'Mon, 02 Mar 2026 08:15:30 GMT' }),
});
